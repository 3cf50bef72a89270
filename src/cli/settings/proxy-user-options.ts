/** Rules by which one user may act for others: Hadoop's keys, and an option that states the same in a line. */

import { InvalidArgumentError } from 'commander'
import { isHost, type ProxyRule, type ProxyRules } from '../../gateway/identity/guard/proxy-users.ts'
import { UsageError } from '../failures/usage-error.ts'
import { checkFirst } from '../flags/given-once.ts'
import type { Setting } from './setting.ts'

const KEY = /^hadoop\.proxyuser\.(.+)\.(hosts|groups|users)$/
const RULE = /^(\S+) for (\S+) from (\S+)$/

export function isProxyUserKey(key: string): boolean {
  return KEY.test(key)
}

export const PROXY_USER: Setting<readonly string[]> = {
  group: 'Logins',
  takes: '<rule>',
  about:
    '"NAME for USERS from HOSTS": this user may act for those; commas separate users, and hosts; @ stands before groups, * for all; may be repeated',
  parse: addRules,
  repeats: true,
  fallback: [],
}

/** Semicolons separate the rules of one text, because a variable has one value only. */
function addRules(text: string, before: readonly string[]): readonly string[] {
  const rules = text.split(';').map((rule) => rule.trim())
  return rules.reduce(addRule, before)
}

/** Refuses a second rule for one user: neither would be the one that counts. */
function addRule(before: readonly string[], rule: string): readonly string[] {
  const [name] = ruleOf(rule)
  checkFirst(
    `A rule of ${name}`,
    before.some((other) => ruleOf(other)[0] === name),
  )
  return [...before, rule]
}

function ruleOf(text: string): [string, ProxyRule] {
  const [, name, whom = '', from = ''] = RULE.exec(text) ?? []
  if (name === undefined && RULE.test(text.replaceAll(/\s*,\s*/g, ',')))
    throw new InvalidArgumentError(
      'No spaces may stand beside its commas: "knox for ann,bob from 10.0.0.0/8".',
    )
  if (name === undefined)
    throw new InvalidArgumentError(
      'It must be "NAME for USERS from HOSTS", such as "knox for * from 10.0.0.0/8".',
    )
  const [names, hosts] = [listOf(whom), listOf(from)]
  const strange = hosts.find((host) => !isHost(host))
  if (strange !== undefined)
    throw new InvalidArgumentError(`${strange} is no address, range or name of a machine.`)
  const users = names.filter((each) => !each.startsWith('@'))
  const groups = names.filter((each) => each.startsWith('@')).map((each) => each.slice(1))
  return [name, { users, groups, hosts }]
}

/**
 * The rules of the option and of Hadoop's keys `hadoop.proxyuser.NAME.hosts`, `.users` and `.groups`; the option's go before. Throws
 * UsageError for a host that is none.
 */
export function proxyRules(stated: readonly string[], properties: ReadonlyMap<string, string>): ProxyRules {
  const rules = new Map<string, ProxyRule>()
  for (const [key, text] of properties) {
    const [, name, part] = KEY.exec(key) ?? []
    if (name === undefined || part === undefined) continue
    const list = listOf(text)
    const strange = part === 'hosts' ? list.find((host) => !isHost(host)) : undefined
    if (strange !== undefined)
      throw new UsageError(`${key}: ${strange} is no address, range or name of a machine`, key)
    rules.set(name, { ...(rules.get(name) ?? { users: [], groups: [], hosts: [] }), [part]: list })
  }
  return new Map([...rules, ...stated.map(ruleOf)])
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}
