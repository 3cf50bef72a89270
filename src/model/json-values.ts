/** Values of JSON whose shape is not known yet: lines of files that another version, or anyone, may have written. */

/** Undefined for a text that is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string')
}

export function isTextOrNone(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}
