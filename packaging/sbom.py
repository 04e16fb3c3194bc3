# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is linked into Weft's binaries: an SPDX 2.3 document, and the licence texts of it all.

Asked is the linker: both links are made once more with --trace, and what it reads outside of the build
folder belongs to a package of Debian. So nothing can be linked in that is not listed. Headers and data
that end up in a binary are named here, since no linker sees them.
"""
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import time

from common import Failure, ROOT, files_of, run, sha, version

# Source package of Debian: the licence of what is linked from it. Another package makes ./release stop.
LICENCES = {
    'llvm-toolchain-22': 'Apache-2.0 WITH LLVM-exception',
    'glibc': 'LGPL-2.1-or-later',
    'gcc': 'GPL-3.0-or-later WITH GCC-exception-3.1',
    'zlib': 'Zlib',
    'libzstd': 'BSD-3-Clause',
    'spirv-tools': 'Apache-2.0',
    'libffi': 'MIT',
    'xxhash': 'BSD-2-Clause',
    'khronos-opencl-headers': 'Apache-2.0',
}
# In the binaries without being linked: header-only code, Clang's declarations.
EMBEDDED = ['libxxhash-dev', 'opencl-c-headers', 'libclang-common-22-dev']


def linked_files(build, target):
    """What the linker reads for a target of the build, but for what the build has made."""
    command = run(['ninja', '-C', build, '-t', 'commands', target]).strip().split('\n')[-1]
    words = shlex.split(command)
    words[words.index('-o') + 1] = os.path.join(os.path.abspath(build), 'linked-once-more')
    listed = run([*words, '-Wl,--trace'], cwd=build)
    os.unlink(os.path.join(build, 'linked-once-more'))
    found = set()
    for line in listed.split('\n'):
        # "/usr/lib/libx.a", "/usr/lib/libx.a(member.o)", "(/usr/lib/libx.a)member.o"
        path = line.strip().lstrip('(').split(')')[0].split('(')[0]
        if path.startswith('/') and os.path.isfile(path) and not path.endswith(('.so', '.ld')) and '.so.' not in path:
            real = os.path.realpath(path)
            if not real.startswith(os.path.abspath(build)):
                found.add(real)
    return sorted(found)


def owner(path):
    """The installed package that a file belongs to (/lib may be a link to /usr/lib)."""
    for name in (path, path.removeprefix('/usr')):
        done = subprocess.run(['dpkg-query', '-S', name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if done.returncode == 0:
            return done.stdout.split(': ')[0].split(',')[0]
    raise Failure(f'{path} is linked in and belongs to no package')


def describe(package):
    fields = run(['dpkg-query', '-W', '-f', '${Package}\t${Version}\t${source:Package}\t${source:Version}', package])
    name, _, source, source_version = fields.split('\t')
    key = 'gcc' if source.startswith('gcc-') else source
    if key not in LICENCES:
        raise Failure(f'{name} is linked in: say its licence in packaging/sbom.py')
    return {'name': name, 'source': source, 'version': source_version, 'licence': LICENCES[key]}


def packages(build, targets):
    """One entry for each source package that something in the binaries comes from."""
    found = {}
    binary = {owner(path) for target in targets for path in linked_files(build, target)} | set(EMBEDDED)
    for package in sorted(binary):
        try:
            entry = describe(package)
        except Failure as failure:
            if package in EMBEDDED and 'status' in str(failure):
                raise Failure(f'{package} is not installed')
            raise
        found.setdefault(entry['source'], {**entry, 'packages': []})['packages'].append(entry['name'])
    return [found[source] for source in sorted(found)]


def copy_licences(found, folder):
    """licences/SOURCE.txt of each, as Debian has it, and the common texts that these point to."""
    os.makedirs(folder, exist_ok=True)
    for entry in found:
        shutil.copyfile(f'/usr/share/doc/{entry["packages"][0]}/copyright', os.path.join(folder, entry['source'] + '.txt'))
    for text in ('LGPL-2.1', 'GPL-3', 'Apache-2.0'):
        shutil.copyfile(os.path.realpath('/usr/share/common-licenses/' + text), os.path.join(folder, text + '.txt'))


def document(found, stage, when):
    """The SPDX document as text; `stage` has the binaries."""
    name = f'weft-{version()}'
    relations = [('SPDXRef-DOCUMENT', 'DESCRIBES', 'SPDXRef-weft')]
    # SPDX 2.3, 7.9: SHA-1 over the sorted SHA-1s of the files.
    sums = ''.join(sorted(sha(os.path.join(stage, path), 'sha1') for path in files_of(stage)))
    listed = [{
        'SPDXID': 'SPDXRef-weft', 'name': 'weft', 'versionInfo': version(), 'filesAnalyzed': True,
        'packageVerificationCode': {'packageVerificationCodeValue': hashlib.sha1(sums.encode()).hexdigest()},
        'downloadLocation': 'NOASSERTION', 'licenseConcluded': 'Apache-2.0 WITH LLVM-exception',
        'licenseDeclared': 'Apache-2.0 WITH LLVM-exception', 'copyrightText': 'NOASSERTION',
        'supplier': 'NOASSERTION', 'primaryPackagePurpose': 'LIBRARY'}]
    for entry in found:
        ident = 'SPDXRef-' + entry['source'].replace('+', 'p')
        listed.append({
            'SPDXID': ident, 'name': entry['source'], 'versionInfo': entry['version'], 'filesAnalyzed': False,
            'downloadLocation': 'NOASSERTION', 'licenseConcluded': entry['licence'],
            'licenseDeclared': entry['licence'], 'copyrightText': 'NOASSERTION',
            'supplier': 'Organization: Debian', 'comment': 'from ' + ', '.join(entry['packages']),
            'externalRefs': [{
                'referenceCategory': 'PACKAGE-MANAGER', 'referenceType': 'purl',
                'referenceLocator': f'pkg:deb/debian/{entry["source"]}@{entry["version"].replace(":", "%3A").replace("+", "%2B")}?arch=source'}]})
        relations.append(('SPDXRef-weft', 'STATIC_LINK', ident))
    binaries = []
    for path in files_of(stage):
        ident = 'SPDXRef-file-' + path.replace('/', '-').replace('_', '-')
        binaries.append({
            'SPDXID': ident, 'fileName': './' + path, 'licenseConcluded': 'NOASSERTION', 'copyrightText': 'NOASSERTION',
            'checksums': [{'algorithm': kind.upper(), 'checksumValue': sha(os.path.join(stage, path), kind)}
                          for kind in ('sha1', 'sha256')]})
        relations.append(('SPDXRef-weft', 'CONTAINS', ident))
    return json.dumps({
        'spdxVersion': 'SPDX-2.3', 'dataLicense': 'CC0-1.0', 'SPDXID': 'SPDXRef-DOCUMENT', 'name': name,
        'documentNamespace': f'https://spdx.org/spdxdocs/{name}-{binaries[0]["checksums"][1]["checksumValue"]}',
        'creationInfo': {'created': time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(when)),
                         'creators': ['Tool: weft-release']},
        'packages': listed, 'files': binaries,
        'relationships': [{'spdxElementId': a, 'relationshipType': kind, 'relatedSpdxElement': b}
                          for a, kind, b in relations]}, indent=1) + '\n'
