/** Settings by HBase's keys: of a whole server in its hbase-site.xml, and of a table or family among its attributes. */

export interface Setting<T> {
  /** HBase's key; an older one, which counts where the first is missing, after it. */
  readonly keys: readonly string[]
  /** Undefined for a text that is no value. */
  parse(text: string): T | undefined
  /** The valid values, for the message about an invalid one. */
  readonly values: string
}

/** A text that is no value of its key. */
export class InvalidSetting extends RangeError {
  override readonly name = 'InvalidSetting'
  readonly key: string

  constructor(key: string, text: string, values: string) {
    super(`${key} = "${text}" is invalid. It must be ${values}.`)
    this.key = key
  }
}

export type SettingsOf<Options> = { readonly [K in keyof Options]?: Setting<NonNullable<Options[K]>> }

/** The text of a key; undefined where it is not stated. */
export type Lookup = (key: string) => string | undefined

const INT_MAX = 0x7fff_ffff

/** A whole number that is at least `min`. HBase: Configuration.getLong, which also takes 0x. */
export function whole(min: number, ...keys: string[]): Setting<number> {
  const parse = (text: string): number | undefined => {
    const value = /^[+-]?(\d{1,19}|0[xX][\da-fA-F]{1,15})$/.test(text) ? Number(text) : Number.NaN
    return value >= min ? value : undefined
  }
  return { keys, parse, values: `a whole number from ${min}` }
}

/** A whole number from `min` to the greatest of an int. HBase: Configuration.getInt. */
export function int(min: number, ...keys: string[]): Setting<number> {
  return wholeUpTo(INT_MAX, min, ...keys)
}

export function wholeUpTo(max: number, min: number, ...keys: string[]): Setting<number> {
  const setting = whole(min, ...keys)
  return {
    keys,
    parse: (text) => {
      const value = setting.parse(text)
      return value !== undefined && value <= max ? value : undefined
    },
    values: `a whole number from ${min} to ${max}`,
  }
}

/** A number that is at least `min`. HBase: Configuration.getFloat. */
export function decimal(min: number, ...keys: string[]): Setting<number> {
  const parse = (text: string): number | undefined => {
    const value = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN
    return value >= min ? value : undefined
  }
  return { keys, parse, values: `a number from ${min}` }
}

export function flag(...keys: string[]): Setting<boolean> {
  return { keys, parse: parseFlag, values: 'true or false' }
}

function parseFlag(text: string): boolean | undefined {
  const lower = text.toLowerCase()
  return lower === 'true' || lower === 'false' ? lower === 'true' : undefined
}

/** A Java class, for which Tidegate has something of its own. */
export function javaClass<T>(classes: Readonly<Record<string, T>>, ...keys: string[]): Setting<T> {
  return { keys, parse: (text) => classes[text], values: Object.keys(classes).join(' or ') }
}

/** The options that are stated. `onFault` is called with a text that is no value, and may throw; otherwise the key is passed over. */
export function readSettings<Options extends object>(
  settings: SettingsOf<Options>,
  lookup: Lookup,
  onFault: (key: string, text: string, values: string) => void = () => undefined,
): Partial<Options> {
  const found: Partial<Options> = {}
  for (const name of Object.keys(settings) as (keyof Options)[]) {
    const setting = settings[name]!
    for (const key of setting.keys) {
      const text = lookup(key)?.trim()
      if (text === undefined || text === '') continue
      const value = setting.parse(text)
      if (value === undefined) onFault(key, text, setting.values)
      else found[name] = value
      break
    }
  }
  return found
}
