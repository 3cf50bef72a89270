/**
 * Texts that are printed and kept: messages of errors, lines of logs. A client may send a name of megabytes, and a log or a
 * memory of failures keeps texts long after their request.
 */

/** The longest text that is printed: more than any stack of Java that a cluster answers with. */
export const PRINTED_CHARACTERS_MAX = 8192
/** The longest message of an error: HBase's name a whole row key, and clients may look for it. */
export const ANSWERED_CHARACTERS_MAX: number = 64 * 1024
/** The printed last characters of a longer text: a region's name ends with its id. */
const LAST_CHARACTERS = 1024
/** Place for the words between begin and end. */
const WORDS_CHARACTERS = 64

/** The text, or of a longer one its begin and its end. */
export function boundedText(text: string, charactersMax: number = PRINTED_CHARACTERS_MAX): string {
  return text.length <= charactersMax ? text : shortened(text, charactersMax)
}

function shortened(text: string, charactersMax: number): string {
  const begin = text.slice(0, charactersMax - LAST_CHARACTERS - WORDS_CHARACTERS)
  const short = `${begin} ... (${text.length} characters) ... ${text.slice(-LAST_CHARACTERS)}`
  // A slice keeps the whole text in memory; a copy does not.
  return Buffer.from(short).toString()
}

/** Objects in fields that are looked into. */
const DEPTH_MAX = 3

/** The fields of a line: the same object where no text of it is too long. Errors stay as they are. */
export function boundedFields<Fields extends object>(fields: Fields, depth = 0): Fields {
  let bounded: Record<string, unknown> | undefined
  for (const [name, value] of Object.entries(fields)) {
    const short = boundedValue(value, depth)
    if (short === value) continue
    bounded ??= { ...fields } as Record<string, unknown>
    bounded[name] = short
  }
  return (bounded as Fields | undefined) ?? fields
}

function boundedValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return boundedText(value)
  if (typeof value !== 'object' || value === null || value instanceof Error || depth >= DEPTH_MAX)
    return value
  return Array.isArray(value) || ArrayBuffer.isView(value) ? value : boundedFields(value, depth + 1)
}
