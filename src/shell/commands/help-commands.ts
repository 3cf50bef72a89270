import type { CommandContext, CommandGroup, ShellCommand } from '../context/command.ts'
import { commandHelp } from '../help/command-help.ts'
import { LANGUAGE_HELP, TABLE_HELP } from '../help/language-help.ts'
import { stringName, type Value } from '../ruby/values.ts'

/** `groups`: called when help is printed, since `help` is itself a command of the list. */
export function helpCommands(groups: () => readonly CommandGroup[]): ShellCommand[] {
  return [
    { name: 'help', min: 0, max: 1, run: (context, [name]) => help(context, groups(), stringName(name)) },
    { name: 'tools', min: 0, max: 0, run: (context) => help(context, groups(), 'tools') },
    { name: 'table_help', min: 0, max: 0, run: async ({ out }) => out.line(TABLE_HELP) },
  ]
}

const ALIASES: Readonly<Record<string, string>> = { desc: 'describe', hlog_roll: 'wal_roll' }

async function help(
  { out, version }: CommandContext,
  groups: readonly CommandGroup[],
  named: string | undefined,
): Promise<Value | void> {
  if (named === 'table_help') return out.line(TABLE_HELP)
  const wanted = named === undefined ? undefined : (ALIASES[named] ?? named)
  const all = groups.flatMap(({ commands }) => commands)
  const command = all.find(({ name }) => name === wanted)
  if (command !== undefined) return out.line(commandHelp(command.name))
  const group = groups.find(({ name }) => name === wanted)
  if (group !== undefined) {
    for (const each of group.commands) out.line(`Command: ${each.name}\n${commandHelp(each.name)}\n`)
    if (group.comment !== undefined) out.line(`${'-'.repeat(80)}\n\n${group.comment}\n`)
    return
  }
  if (named !== undefined) out.line(`ERROR: Invalid command or command group name: ${named}\n`)
  out.line(`HBase Shell, version ${version}`)
  out.line(
    `Type 'help "COMMAND"' for a command, 'help "COMMAND_GROUP"' for all of a group; the quotes are necessary.`,
  )
  out.line('\nCOMMAND GROUPS:')
  for (const { name, commands } of groups)
    out.line(`  Group name: ${name}\n  Commands: ${commands.map((each) => each.name).join(', ')}\n`)
  if (named === undefined) out.line(`SHELL USAGE:\n${LANGUAGE_HELP}`)
}
