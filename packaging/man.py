# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Man pages from what the tool itself says: weft(1), one page for each command, weft-settings(7).

    man.py WEFT FOLDER

The text is the --help text as it stands, so no page can say what the program does not; help2man, which
does the same for other programs, knows neither commands nor settings.
"""
import os
import re
import sys
import time

from common import epoch, main, run, version



def escape(text):
    """For roff: backslashes, hyphens that are to be copied, and dots where a line begins with one."""
    text = text.replace('\\', '\\e').replace('-', '\\-')
    return re.sub(r"(?m)^([.'])", r'\\&\1', text)


def page(name, section, what, body):
    date = time.strftime('%Y-%m-%d', time.gmtime(epoch()))
    return (f'.\\" SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n'
            f'.TH {name.upper().replace("-", chr(92) + "-")} {section} {date} "weft {version()}" "Weft"\n'
            f'.ad l\n.SH NAME\n{escape(name)} \\- {escape(what)}\n{body}')


def verbatim(text):
    return '.nf\n' + escape(text.strip('\n')) + '\n.fi\n'


def help_sections(text):
    """A help text of argp: what is before the options is prose, the rest are lists."""
    usage, _, rest = text.strip('\n').partition('\n')
    lines = rest.split('\n')
    at = next((i for i, line in enumerate(lines) if re.match(r' {2,}-|Commands:', line)), len(lines))
    synopsis = [re.sub(r'^[Uu]sage: ', '', usage)]
    return synopsis[0], '\n'.join(lines[:at]).strip(), '\n'.join(lines[at:]).strip('\n')


def command_page(tool, name, what):
    text = run([tool, *name.split()[1:], '--help'])
    synopsis, prose, lists = help_sections(text)
    body = f'.SH SYNOPSIS\n{escape(synopsis)}\n.SH DESCRIPTION\n{escape(prose) or escape(what)}\n'
    if lists:
        body += '.SH OPTIONS\n' + verbatim(lists)
    return body


def settings_page(tool):
    body = ('.SH DESCRIPTION\nEnvironment variables, read once by each process. A file weft.conf beside libweft.so, or else '
            '/etc/weft.conf, sets them for all processes: lines\n.I NAME = value\nof the same names; a variable goes before the '
            'file.\n.SH SETTINGS\n')
    clean = {k: v for k, v in os.environ.items() if not k.startswith('WEFT_')}
    for match in re.finditer(r'(?m)^(WEFT_\w+) = .*\n    (.*)$', run([tool, 'settings'], env=clean)):
        body += f'.TP\n.B {escape(match.group(1))}\n{escape(match.group(2))}\n'
    return body


def step():
    tool, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    commands = re.findall(r'(?m)^  ([a-z]+) +(\S.*)$', run([tool, '--help']).split('Commands:')[1].split('\n\n')[0])
    also = '.SH SEE ALSO\n' + ', '.join(f'weft\\-{c}(1)' for c, _ in commands) + ', weft\\-settings(7)\n'
    pages = {'weft.1': page('weft', 1, 'look into Weft, the OpenCL implementation for CPUs',
                            command_page(tool, 'weft', '') + also)}
    for name, what in commands:
        status = '.SH EXIT STATUS\n0: all is good. 1: something is not. 2: wrong usage' + (
            ', or no place for the note of kernels. 3: no kernel ran. Else that of COMMAND, 128 and its signal, 127 where it cannot '
            'be started.\n' if name == 'ci' else '.\n')
        pages[f'weft-{name}.1'] = page(f'weft-{name}', 1, what, command_page(tool, f'weft {name}', what) + status +
                                       '.SH SEE ALSO\nweft(1), weft\\-settings(7)\n')
    pages['weft-settings.7'] = page('weft-settings', 7, 'environment variables of Weft', settings_page(tool) +
                                    '.SH SEE ALSO\nweft(1)\n')
    for name, text in pages.items():
        with open(os.path.join(folder, name), 'w') as file:
            file.write(text)


if __name__ == '__main__':
    main(step)
