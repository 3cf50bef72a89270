/** Base64 in the two dialects of a filter's JSON: java.util.Base64 decodes some members, and Jackson the others. */

const STRICT = /^[A-Za-z0-9+/]*={0,2}$/
/** A group, and the white space that Jackson passes over before it. */
const GROUP = /[\0-\x20]*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)/y
const SPACE = /[\0-\x20]*$/y

/** Decodes as java.util.Base64's basic decoder does: padding may be left out, but not in part. undefined: the text is not base64. */
export function decodeJavaBase64(text: string | undefined): Buffer | undefined {
  if (text === undefined || !STRICT.test(text)) return undefined
  const digits = text.indexOf('=') < 0 ? text.length : text.indexOf('=')
  if (digits % 4 === 1 || (digits < text.length && text.length % 4 !== 0)) return undefined
  if (digits % 4 === 0 && digits < text.length) return undefined
  return Buffer.from(text, 'base64')
}

/**
 * As Jackson: each group of four is padded for itself, and white space may stand between groups. undefined: the text is
 * not base64.
 */
export function decodeJacksonBase64(text: string): Buffer | undefined {
  const groups: Buffer[] = []
  for (let at = 0; at < text.length; ) {
    SPACE.lastIndex = at
    if (SPACE.test(text)) break
    GROUP.lastIndex = at
    const group = GROUP.exec(text)
    if (group === null) return undefined
    groups.push(Buffer.from(group[0].trim(), 'base64'))
    at = GROUP.lastIndex
  }
  return Buffer.concat(groups)
}
