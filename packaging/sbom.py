# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is linked into Weft's binaries: an SPDX 2.3 document, and the licence texts of it all.

Asked is the linker: both links are made once more with --trace, and what it reads outside of the build
folder belongs to a package of Debian. So nothing can be linked in that is not listed. Headers and data
that end up in a binary are named here, since no linker sees them.
"""
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import time

from common import Failure, ROOT, files_of, run, sha, version

PLACE = 'share/doc/weft/weft.spdx.json'
OWN_LICENCE = 'Apache-2.0 WITH LLVM-exception'
COMMENT = ('The files are those of the tarball. The Debian packages and the wheel take their files from the same tree and '
           'have them in other places; of the Debian packages some are compressed. What these have besides (metadata, '
           'the modules of the wheel) is not listed here: see md5sums of each Debian package, RECORD of the wheel.')
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


def verification_code(sums):
    """SPDX 2.3, 7.9: the SHA-1 over the sorted SHA-1s of the files."""
    return hashlib.sha1(''.join(sorted(sums)).encode()).hexdigest()


def file_entries(stage):
    """All files of the tree but the document itself, which cannot have its own sum in it."""
    entries = []
    for path in files_of(stage):
        if path == PLACE:
            continue
        entries.append({
            'SPDXID': 'SPDXRef-file-' + re.sub('[^A-Za-z0-9.]', '-', path), 'fileName': './' + path,
            'licenseConcluded': 'NOASSERTION', 'copyrightText': 'NOASSERTION',
            'checksums': [{'algorithm': kind.upper(), 'checksumValue': sha(os.path.join(stage, path), kind)}
                          for kind in ('sha1', 'sha256')]})
    if len({entry['SPDXID'] for entry in entries}) != len(entries):
        raise Failure('two files have one SPDXID: see packaging/sbom.py')
    return entries


def weft_entry(code):
    return {
        'SPDXID': 'SPDXRef-weft', 'name': 'weft', 'versionInfo': version(), 'filesAnalyzed': True,
        'packageFileName': f'weft-{version()}-linux-x86_64.tar.xz',
        'packageVerificationCode': {'packageVerificationCodeValue': code,
                                    'packageVerificationCodeExcludedFiles': ['./' + PLACE]},
        'downloadLocation': 'NOASSERTION', 'licenseConcluded': OWN_LICENCE,
        'licenseDeclared': OWN_LICENCE, 'copyrightText': 'NOASSERTION',
        'supplier': 'NOASSERTION', 'primaryPackagePurpose': 'LIBRARY', 'comment': COMMENT}


def linked_entry(entry):
    source, number = entry['source'], entry['version']
    return {
        'SPDXID': 'SPDXRef-' + source.replace('+', 'p'), 'name': source, 'versionInfo': number, 'filesAnalyzed': False,
        'downloadLocation': 'NOASSERTION', 'licenseConcluded': entry['licence'],
        'licenseDeclared': entry['licence'], 'copyrightText': 'NOASSERTION',
        'supplier': 'Organization: Debian', 'comment': 'from ' + ', '.join(entry['packages']),
        'externalRefs': [{
            'referenceCategory': 'PACKAGE-MANAGER', 'referenceType': 'purl',
            'referenceLocator': f'pkg:deb/debian/{source}@{number.replace(":", "%3A").replace("+", "%2B")}?arch=source'}]}


def document(found, stage, when):
    """The SPDX document as text; `stage` is the tarball's tree, complete but for this document."""
    name = f'weft-{version()}'
    files = file_entries(stage)
    linked = [linked_entry(entry) for entry in found]
    code = verification_code(entry['checksums'][0]['checksumValue'] for entry in files)
    relations = [('SPDXRef-DOCUMENT', 'DESCRIBES', 'SPDXRef-weft'),
                 *(('SPDXRef-weft', 'STATIC_LINK', entry['SPDXID']) for entry in linked),
                 *(('SPDXRef-weft', 'CONTAINS', entry['SPDXID']) for entry in files)]
    content = {
        'spdxVersion': 'SPDX-2.3', 'dataLicense': 'CC0-1.0', 'SPDXID': 'SPDXRef-DOCUMENT', 'name': name,
        'creationInfo': {'created': time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(when)),
                         'creators': ['Tool: weft-release']},
        'packages': [weft_entry(code), *linked], 'files': files,
        'relationships': [{'spdxElementId': a, 'relationshipType': kind, 'relatedSpdxElement': b}
                          for a, kind, b in relations]}
    # One of its own for each document, and the same whenever and wherever it is made.
    unique = hashlib.sha256(json.dumps(content).encode()).hexdigest()
    content['documentNamespace'] = f'https://spdx.org/spdxdocs/{name}-{unique}'
    return json.dumps(content, indent=1) + '\n'
