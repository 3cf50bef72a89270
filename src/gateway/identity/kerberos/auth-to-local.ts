/** Users of principals by the rules of hadoop.security.auth_to_local, as Hadoop's KerberosName applies them. */

import { compileJavaRegex, type JavaRegex } from '../../../filter/regex/java-regex.ts'
import { JavaReplacer } from '../../../filter/regex/java-replacer.ts'
import { parsePrincipal } from '../../../kerberos/names/principal.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import { Refused } from '../guard/login-errors.ts'

/**
 * `hadoop`: a user's name has no `/` and no `@`, and a principal without a rule is refused. `mit`: neither holds; a principal without a rule is a
 * user by its whole name. Key: hadoop.security.auth_to_local.mechanism.
 */
export type RuleMechanism = 'hadoop' | 'mit'

export const DEFAULT_RULES = 'DEFAULT'

/** Longer principals are refused before a rule looks at them. */
const PRINCIPAL_LENGTH_MAX = 1024

/** `RULE:[n:format](match)s/from/to/g/L`, in Hadoop's grammar: no part may contain the character that ends it. */
const RULE =
  /[ \t\n\v\f\r]*(?:(?<isDefault>DEFAULT)|RULE:\[(?<count>[0-9]*):(?<format>[^\]]*)\](?:\((?<match>[^)]*)\))?(?:s\/(?<from>[^/]*)\/(?<to>[^/]*)\/(?<all>g)?)?)\/?(?<lower>L)?/y

/** The parts of a principal that rules see: the realm is `$0`, the components are `$1` and `$2`. */
type Parts = readonly [realm: string, name: string, host?: string]

interface Rule {
  readonly text: string
  /** Undefined: the rule DEFAULT, which names the first component of principals of the default realm. */
  readonly ofParts: PartsRule | undefined
  readonly isLower: boolean
}

interface PartsRule {
  /** The number of components that a principal must have. */
  readonly count: number
  readonly format: string
  readonly match: JavaRegex | undefined
  readonly replaced:
    | { readonly replacer: JavaReplacer; readonly to: string; readonly all: boolean }
    | undefined
}

export class AuthToLocal {
  readonly #rules: readonly Rule[]
  readonly #mechanism: RuleMechanism
  readonly #realm: string | undefined

  /** `realm`: the default one; undefined: the rule DEFAULT holds for no principal. Throws ILLEGAL_ARGUMENT for rules that are none. */
  constructor(rules: string, mechanism: RuleMechanism, realm: string | undefined) {
    this.#rules = parseRules(rules)
    this.#mechanism = mechanism
    this.#realm = realm
  }

  /**
   * The user of a principal of a ticket. The first rule that fits it counts. Throws Refused where none does, where the rule fails, and for
   * principals that KerberosName cannot take apart: without a realm, of more than two components, or with an escaped character.
   */
  userOf(principal: string): string {
    const parts = partsOf(principal)
    for (const rule of this.#rules) {
      const user = this.#applied(rule, parts, principal)
      if (user !== undefined) return user
    }
    if (this.#mechanism === 'mit') return principal
    throw new Refused(
      `no rule of --kerberos-rules (hadoop.security.auth_to_local) names a user for the principal ${principal}; ${this.#advice(parts)}`,
    )
  }

  #applied({ text, ofParts, isLower }: Rule, parts: Parts, principal: string): string | undefined {
    const user = ofParts === undefined ? this.#ofDefault(parts) : ofRule(ofParts, parts, text, principal)
    if (user === undefined) return undefined
    if (this.#mechanism === 'hadoop' && /[/@]/.test(user))
      throw new Refused(
        `the rule ${text} makes "${user}" of the principal ${principal}, which has a / or a @`,
      )
    return isLower ? user.toLowerCase() : user
  }

  #advice([realm]: Parts): string {
    if (this.#realm === undefined) return 'there is no default realm: set default_realm in krb5.conf'
    if (realm === this.#realm) return 'its realm is the default one: add the rule DEFAULT, or one that fits'
    return `add one for its realm (the default realm is ${this.#realm})`
  }

  #ofDefault([realm, name]: Parts): string | undefined {
    return realm === this.#realm ? name : undefined
  }
}

function partsOf(principal: string): Parts {
  const { components = [], realm } =
    principal.length > PRINCIPAL_LENGTH_MAX ? {} : (parsePrincipal(principal) ?? {})
  const [name, host, more] = components
  if (name === undefined || realm === undefined || more !== undefined || principal.includes('\\'))
    throw new Refused(
      `the principal ${principal.slice(0, PRINCIPAL_LENGTH_MAX)} is none of a user: it must be name@REALM or name/host@REALM`,
    )
  return host === undefined ? [realm, name] : [realm, name, host]
}

function ofRule(
  { count, format, match, replaced }: PartsRule,
  parts: Parts,
  text: string,
  principal: string,
): string | undefined {
  if (parts.length - 1 !== count) return undefined
  try {
    const base = formatted(format, parts)
    if (match !== undefined && !match.matches(base)) return undefined
    return replaced === undefined ? base : replaced.replacer.replace(base, replaced.to, replaced.all)
  } catch (error) {
    if (!isHBaseError(error)) throw error
    throw new Refused(`the rule ${text} fails for the principal ${principal}: ${error.message}`, error)
  }
}

/** `$n` stands for a part; any other text for itself. */
function formatted(format: string, parts: Parts): string {
  return format.replaceAll(/\$([0-9]*)/g, (reference, digits: string) => {
    const part = digits === '' ? undefined : parts[Number(digits)]
    if (part === undefined)
      throw new HBaseError(
        'ILLEGAL_ARGUMENT',
        `${reference} in [${format}] is none of $0 to $${parts.length - 1}`,
      )
    return part
  })
}

/** Throws ILLEGAL_ARGUMENT, which names the rest of the text from the wrong rule on. */
function parseRules(text: string): readonly Rule[] {
  // Java trims control characters, too.
  const rules = text.replaceAll(/^[\0- ]+|[\0- ]+$/g, '')
  const parsed: Rule[] = []
  RULE.lastIndex = 0
  for (let at = 0; at < rules.length; at = RULE.lastIndex) {
    const { 0: found, groups } = RULE.exec(rules) ?? {}
    if (found === undefined || groups === undefined) throw noRule(rules.slice(at))
    parsed.push(ruleOf(found.trim(), groups))
  }
  return parsed
}

function ruleOf(text: string, groups: Readonly<Record<string, string | undefined>>): Rule {
  // Hadoop reads an L behind DEFAULT, and ignores it.
  if (groups['isDefault'] !== undefined) return { text, ofParts: undefined, isLower: false }
  const { count = '', format = '', match, from, to = '', all, lower } = groups
  if (!/^\d{1,9}$/.test(count)) throw noRule(text)
  try {
    const replaced =
      from === undefined ? undefined : { replacer: new JavaReplacer(from), to, all: all !== undefined }
    const compiled = match === undefined ? undefined : compileJavaRegex(match, 0)
    const ofParts = { count: Number(count), format, match: compiled, replaced }
    return { text, ofParts, isLower: lower !== undefined }
  } catch (error) {
    if (!isHBaseError(error)) throw error
    throw new HBaseError('ILLEGAL_ARGUMENT', `the rule ${text}: ${error.message}`, { cause: error })
  }
}

function noRule(text: string): HBaseError {
  return new HBaseError(
    'ILLEGAL_ARGUMENT',
    `"${text.trim()}" is no rule: write DEFAULT, or RULE:[n:format](match)s/from/to/g/L with spaces between rules`,
  )
}
