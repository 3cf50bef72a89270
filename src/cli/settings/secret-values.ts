/** Settings for people, in the log and in the console: secrets are hidden. */

/** Values of keys with such names are secrets. */
const SECRET = /pass(?:word|phrase)|secret|token|credential|private/i
/** Such keys have a path or a time, and no secret. */
const PLAIN = /\.(?:file|location|type|lifetime|validity|interval)$/i
const HIDDEN = '(hidden)'

/** The value of a key of hbase-site.xml. */
export function withoutSecret(key: string, value: string): string {
  return SECRET.test(key) && !PLAIN.test(key) ? HIDDEN : withoutLogin(value)
}

/** The text; of a URL without user, password and query, which may have keys. */
export function withoutLogin(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text
  const url = new URL(text)
  if (url.username === '' && url.password === '' && url.search === '') return text
  url.username = ''
  url.password = ''
  url.search = ''
  return `${url.href} ${HIDDEN}`
}
