/** The help of `tidegate serve`: examples, then the settings that most users need, or with `--help all` every one. */

import { type Command, Help, type Option } from 'commander'
import { flagOf } from './setting.ts'
import { SETTING_NAMES, type SettingName } from './settings-table.ts'

export interface ServeExample {
  readonly command: string
  readonly about: string
}

export const SERVE_ABOUT = 'open the doors and serve until SIGTERM'

export const SERVE_EXAMPLES: readonly ServeExample[] = [
  { command: 'tidegate serve', about: 'each door on its usual port of this machine, the data in ./data' },
  {
    command: 'tidegate serve --store memory --rest 0 --thrift 0 --rpc off --zookeeper off',
    about: 'for a test: nothing on the disk, free ports that the ready line names',
  },
  {
    command: 'tidegate serve --store hbase:zk1.example,zk2.example --zookeeper off',
    about: "before a cluster, in place of HBase's REST and Thrift servers",
  },
]

/** The settings of the short help. */
const COMMON: ReadonlySet<SettingName> = new Set<SettingName>([
  'store',
  'config',
  'memoryMax',
  'host',
  'rest',
  'thrift',
  'rpc',
  'zookeeper',
  'web',
  'readOnly',
  'logLevel',
  'tlsCertificate',
  'tlsKey',
  'users',
])

const FLAGS_COMMON: ReadonlySet<string> = new Set([...COMMON].map(flagOf))
const FLAGS: ReadonlySet<string> = new Set(SETTING_NAMES.map(flagOf))

const HELP_FLAGS: readonly string[] = ['-h', '--help']

/** Commander leaves descriptions beside a long flag unwrapped by default. */
export const WRAPPED_HELP = { minWidthToWrap: 20 } as const
const HELP = new Help()

/** `args`: of the process. */
export function addServeHelp(command: Command, args: readonly string[]): Command {
  const isWhole = args.some((arg, i) => HELP_FLAGS.includes(arg) && args[i + 1] === 'all')
  const left = FLAGS.size - FLAGS_COMMON.size
  const examples = SERVE_EXAMPLES.map(({ command, about }) => `  ${command}\n      ${about}`)
  return command
    .summary(SERVE_ABOUT)
    .description(`${SERVE_ABOUT}\n\nExamples:\n${examples.join('\n')}`)
    .helpOption('-h, --help [all]', 'print this help; with "all" every option')
    .configureHelp({
      ...WRAPPED_HELP,
      visibleOptions: (shown) => HELP.visibleOptions(shown).filter((option) => isWhole || isCommon(option)),
      optionDescription: describedOption,
    })
    .addHelpText(
      'after',
      isWhole
        ? ''
        : `\n${left} more options, of limits, logins, permissions, copies and tests:\n  tidegate serve --help all`,
    )
}

function isCommon({ long }: Option): boolean {
  return !FLAGS.has(long!) || FLAGS_COMMON.has(long!)
}

/** The description of a setting in help, with its default where that is worth a word. */
export function describedOption(option: Option): string {
  return HELP.optionDescription(withoutEmptyDefault(option))
}

/** A default of no, or of no values, is what a reader expects. */
function withoutEmptyDefault(option: Option): Option {
  const { defaultValue } = option as { readonly defaultValue?: unknown }
  const isEmpty = defaultValue === false || (Array.isArray(defaultValue) && defaultValue.length === 0)
  if (!isEmpty) return option
  return Object.assign(Object.create(option) as Option, { defaultValue: undefined, presetArg: undefined })
}
