#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clpeak: the best of each of its lists, as it writes them in XML."""
import xml.etree.ElementTree

import ladder

# Its clock has microseconds, so that these are whatever they like.
NOTHING_TO_MEASURE = ('enqueuemapbuffer', 'enqueueunmap', 'memcpy_from_mapped_ptr', 'memcpy_to_mapped_ptr')


def run(app):
    app.apt('clpeak')
    ended = app.command('clpeak', '--enable-xml-dump', '-f', 'clpeak.xml', seconds=1800)
    if not ended.good:
        app.result('run', passed=False, note=ended.why())
        return
    lists = xml.etree.ElementTree.parse(app.home / 'clpeak.xml').getroot().findall('./platform/device/*')
    for each in lists:
        values = [float(row.text) for row in each if row.tag not in NOTHING_TO_MEASURE] or [float(each.text)]
        app.result(each.tag.replace('_', ' '), max(values), each.get('unit').replace('gbps', 'GB/s'),
                   max(values) > 0)
    if not lists:
        app.result('run', passed=False, note='no device in its list')


if __name__ == '__main__':
    ladder.main(run)
