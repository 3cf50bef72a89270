/** The manual page tidegate(1), made of the commands and their options. */

import { type Command, Help, type Option } from 'commander'
import { buildProgram } from '../../src/cli/program.ts'
import { packageRoot } from '../../src/package-root.ts'

export const MAN_PAGE: URL = new URL('deploy/man/tidegate.1', packageRoot())

const HELP = new Help()
const ABOUT = "HBase's protocols on an embedded engine, or before a cluster"

const FILES: readonly (readonly [string, string])[] = [
  ['./data', 'the data of serve, where no --store names another place'],
  ['/etc/tidegate/environment', 'variables of the unit of systemd, one TIDEGATE_NAME=VALUE a line'],
  ['~/.local/state/tidegate/shell-history', 'earlier lines of the shell'],
]

export function manPage(): string {
  const program = buildProgram(['node', 'tidegate', '--help', 'all'])
  const commands = leavesOf(program, [])
  const lines = [
    '.\\" Made by "npm run man": change the commands, not this file.',
    '.TH TIDEGATE 1 "" "Tidegate" "User Commands"',
    // Names of variables and addresses stay whole.
    '.ad l',
    '.nh',
    '.SH NAME',
    `tidegate \\- ${text(ABOUT)}`,
    '.SH SYNOPSIS',
    '.B tidegate',
    '.I COMMAND',
    '[\\fIOPTION\\fR ...]',
    '.SH DESCRIPTION',
    text(
      `${program.description()}. A flag wins over its variable, and the variable over the file of --config.`,
    ),
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.SH EXIT STATUS',
    ...item('0', 'the work is done; SIGTERM or SIGINT has ended the server in order'),
    ...item(
      '1',
      'the server could not start, or did not end in order; a tool has found damage or differences',
    ),
    ...item('2', 'a wrong command, flag, variable or file of settings; a tool could not do its work'),
    '.SH FILES',
    ...FILES.flatMap(([file, about]) => item(`\\fI${text(file)}\\fR`, about)),
    '.SH SIGNALS',
    text(
      'SIGTERM and SIGINT end the server within 10 seconds. At SIGHUP it reads users, groups, keys and certificates again.',
    ),
    '.SH SEE ALSO',
    text('The folder docs of the package has every page: README.md lists them by purpose.'),
  ]
  return `${lines.join('\n')}\n`
}

interface Leaf {
  readonly path: string
  readonly command: Command
}

/** The commands that do work, with the names of those above them. */
function leavesOf(command: Command, above: readonly string[]): Leaf[] {
  return command.commands.flatMap((inner) => {
    const path = [...above, inner.name()]
    return inner.commands.length > 0 ? leavesOf(inner, path) : [{ path: path.join(' '), command: inner }]
  })
}

function commandLines({ path, command }: Leaf): string[] {
  const args = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`
    return argument.required ? `<${name}>` : `[${name}]`
  })
  const lines = ['.SS "' + text(['tidegate', path, ...args].join(' ')) + '"']
  const [about, ...examples] = command.description().split('\n')
  lines.push(text(about!))
  if (examples.length > 0)
    lines.push('.PP', '.nf', ...examples.filter((line) => line !== '').map(text), '.fi')
  const groups = HELP.groupItems(
    [...command.options],
    command.options.filter(({ hidden }) => !hidden),
    (option) => option.helpGroupHeading ?? '',
  )
  for (const [group, options] of groups) {
    if (group !== '') lines.push('.PP', `.B "${text(group)}"`)
    lines.push(...options.flatMap(optionLines))
  }
  return lines
}

function optionLines(option: Option): string[] {
  // The defaults of an account or a machine are stated in words, so that the page is the same everywhere.
  return item(`\\fB${text(option.flags)}\\fR`, HELP.optionDescription(option))
}

function item(term: string, about: string): string[] {
  return ['.TP', term, text(about)]
}

/** A hyphen must stay one, and a line must not begin with a request of roff. */
function text(line: string): string {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&')
    .replaceAll('"', '\\(dq')
}
