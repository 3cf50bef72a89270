/** Names of Kerberos: `alice@REALM`, `hbase/host@REALM`. */

export interface PrincipalName {
  /** At least one; none is escaped. */
  readonly components: readonly string[]
  /** Undefined where the text has none. */
  readonly realm: string | undefined
}

/** Letters that stand for other characters behind a backslash. Any other character stands for itself there. */
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '0': '\0' }
const ESCAPE_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(ESCAPED).map(([letter, character]) => [character, letter]),
)

/**
 * The parts of a principal (RFC 1964, section 2.1.1): `/` separates components, `@` stands before the realm, and a backslash takes the meaning
 * from the character behind it. Undefined for a text that is no principal: an empty component or realm, a second `@`, a `/` in the realm, a
 * backslash at the end.
 */
export function parsePrincipal(text: string): PrincipalName | undefined {
  const parts = ['']
  let realmAt: number | undefined
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    const last = parts.length - 1
    if (character === '\\') {
      const escaped = text[++at]
      if (escaped === undefined) return undefined
      parts[last] += ESCAPED[escaped] ?? escaped
    } else if (character === '@' || character === '/') {
      if (realmAt !== undefined) return undefined
      parts.push('')
      if (character === '@') realmAt = parts.length - 1
    } else {
      parts[last] += character
    }
  }
  if (parts.includes('')) return undefined
  return { components: parts.slice(0, realmAt), realm: realmAt === undefined ? undefined : parts[realmAt] }
}

/** The text of a principal, with its escapes: parsePrincipal reads it back. */
export function principalText({ components, realm }: PrincipalName): string {
  const name = components.map(escaped).join('/')
  return realm === undefined ? name : `${name}@${escaped(realm)}`
}

function escaped(part: string): string {
  return part.replaceAll(/[\\/@\n\t\b\0]/g, (character) => `\\${ESCAPE_OF.get(character) ?? character}`)
}
