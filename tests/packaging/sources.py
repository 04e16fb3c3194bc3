# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sources.py PROJECT VERSION FOLDER: unpacks a source distribution of PyPI; nothing of it is run, unlike by pip."""
import io
import json
import sys
import tarfile
import urllib.request


def get(url, **headers):
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=60) as answer:
        return answer.read()


project, version, folder = sys.argv[1:]
index = json.loads(get(f'https://pypi.org/simple/{project}/', Accept='application/vnd.pypi.simple.v1+json'))
url, = (file['url'] for file in index['files'] if file['filename'] == f'{project}-{version}.tar.gz')
with tarfile.open(fileobj=io.BytesIO(get(url))) as archive:
    archive.extractall(folder)
print(url)
