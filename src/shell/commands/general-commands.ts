import type { CommandContext, ShellCommand } from '../context/command.ts'
import { ExitRequest, refuse } from '../output/shell-error.ts'
import { textOf, type Value } from '../ruby/values.ts'

export const GENERAL_COMMANDS: readonly ShellCommand[] = [
  { name: 'version', min: 0, max: 0, run: async ({ out, version }) => out.line(version) },
  {
    name: 'whoami',
    min: 0,
    max: 0,
    run: async ({ out, user, method }) => out.line(`${user} (auth:${method})`),
  },
  { name: 'processlist', min: 0, max: undefined, run: absent('HBase shows its tasks by JMX only') },
]

/** The session's own commands, which no help lists. */
export const SESSION_COMMANDS: readonly ShellCommand[] = [
  { name: 'exit', min: 0, max: 1, run: exit },
  { name: 'quit', min: 0, max: 1, run: exit },
  { name: 'sleep', min: 1, max: 1, run: sleep },
]

/** Commands of HBase's shell that this shell cannot run. */
export const ABSENT_COMMANDS: readonly ShellCommand[] = [
  { name: 'trace', min: 0, max: 2, run: absent('HTrace is a library of Java') },
  { name: 'zk_dump', min: 0, max: 0, run: absent('it reads ZooKeeper with a client of Java') },
  { name: 'regioninfo', min: 1, max: 1, run: absent('use locate_region or list_regions') },
]

/** A command that only fails, with the reason. */
function absent(reason: string): ShellCommand['run'] {
  return async () => refuse(`this shell does not have this command: ${reason}`)
}

async function exit(_: CommandContext, [code = 0n]: readonly Value[]): Promise<never> {
  throw new ExitRequest(Number(textOf(code)) & 0xff)
}

async function sleep(context: CommandContext, [seconds]: readonly Value[]): Promise<Value> {
  const number = Number(textOf(seconds!))
  if (!(number >= 0)) refuse('sleep takes seconds')
  await context.sleep(number * 1000)
  return BigInt(Math.round(number))
}
