/** The number that a flag states, undefined where it is not given. Throws where it is none: NaN would pass for a limit. */
export function wholeNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = text === '' ? Number.NaN : Number(text)
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new Error(`--${flag} ${text}: it must be a whole number`)
}
