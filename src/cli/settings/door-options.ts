import { type Command, InvalidArgumentError, Option } from 'commander'
import { RepeatableOption } from '../flags/given-once.ts'

/** What clients may do at the doors. */
export interface DoorSettings {
  /** Every change is refused, at every door. */
  readonly readOnly: boolean
  /** The console of the web door may change tables and rows. */
  readonly consoleWrites: boolean
  /** Every change is refused at the REST door: HBase's hbase.rest.readonly. */
  readonly restReadOnly: boolean
  /** Origins of pages whose scripts may use the REST door, or `*`; none: CORS is off. */
  readonly corsOrigins: readonly string[]
}

const DEFAULT_DOOR_SETTINGS: DoorSettings = {
  readOnly: false,
  consoleWrites: false,
  restReadOnly: false,
  corsOrigins: [],
}

const YES: ReadonlySet<string> = new Set(['true', 'yes', 'on', '1'])
const NO: ReadonlySet<string> = new Set(['false', 'no', 'off', '0'])

export function doorOptions(): readonly Option[] {
  return [
    new Option('--read-only [yes]', 'refuse writes, changes of tables, and upkeep at every door')
      .env('TIDEGATE_READ_ONLY')
      .preset('true')
      .argParser(parseYesNo)
      .default(DEFAULT_DOOR_SETTINGS.readOnly),
    new Option('--console-writes [yes]', "the web door's console may change tables and rows")
      .env('TIDEGATE_CONSOLE_WRITES')
      .preset('true')
      .argParser(parseYesNo)
      .default(DEFAULT_DOOR_SETTINGS.consoleWrites),
    new RepeatableOption(
      '--cors-origin <origin>',
      "an origin whose pages' scripts may use the REST door: https://example.org, or * for all; may be repeated",
    )
      .env('TIDEGATE_CORS_ORIGIN')
      .argParser(addOrigins)
      .default(DEFAULT_DOOR_SETTINGS.corsOrigins),
  ]
}

export function readDoorSettings(command: Command): Pick<DoorSettings, 'readOnly' | 'corsOrigins'> {
  return {
    readOnly: command.getOptionValue('readOnly') as boolean,
    corsOrigins: command.getOptionValue('corsOrigin') as readonly string[],
  }
}

export function parseYesNo(text: string): boolean {
  const word = text.toLowerCase()
  if (YES.has(word)) return true
  if (NO.has(word)) return false
  throw new InvalidArgumentError('It must be yes or no.')
}

/** Several origins of one text stand between commas: a variable has but one value. */
function addOrigins(text: string, before: readonly string[]): readonly string[] {
  return [...before, ...text.split(',').map((origin) => checkedOrigin(origin.trim()))]
}

function checkedOrigin(text: string): string {
  if (text === '*' || (URL.canParse(text) && new URL(text).origin === text)) return text
  throw new InvalidArgumentError('It must be scheme://host[:port] as browsers send it, or *.')
}
