/** Addresses for people, in logs and pages. */

/** Stands for a secret. */
export const HIDDEN = '(hidden)'

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
