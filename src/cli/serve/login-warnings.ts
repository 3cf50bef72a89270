/** Warnings about logins: settings with which a server starts, but some users cannot log in. */

import { statSync } from 'node:fs'
import type { GuardSettings } from '../../gateway/identity/guard/guard.ts'
import type { Users } from '../../gateway/identity/guard/passwords/users-file.ts'
import type { AuthorizationSettings } from '../../gateway/policies/authorization.ts'
import { GROUP_PREFIX } from '../../model/permission.ts'

/** The right of accounts that are neither the file's own nor of its group. */
const READ_BY_OTHERS = 0o004
/** In a rule: every group. */
const ANY_GROUP = '*'

/** A sentence for each, with its remedy. `users`: those of the password file. */
export function loginWarnings(
  { users: path, tokens, certificates, kerberos, proxyRules = new Map() }: GuardSettings,
  authorization: AuthorizationSettings | undefined,
  users: Users | undefined,
): readonly string[] {
  const { superusers = [], groups } = authorization ?? {}
  const groupless = groups === undefined ? superusers.filter((name) => name.startsWith(GROUP_PREFIX)) : []
  const warnings = groupless.map(
    (name) =>
      `--superuser ${name}: without --groups FILE no user is in this group; give the file, or name a user`,
  )
  if (groups === undefined)
    for (const [name, rule] of proxyRules)
      for (const group of rule.groups.filter((each) => each !== ANY_GROUP))
        warnings.push(
          `--proxy-user ${name} for @${group}: without --groups FILE no user is in this group; give the file with --authorization, or name users`,
        )
  if (path === undefined || users === undefined) return warnings
  const mode = statSync(path).mode & 0o777
  if (process.platform !== 'win32' && (mode & READ_BY_OTHERS) !== 0)
    warnings.push(
      `--users ${path}: every account of this machine can read it (mode ${mode.toString(8)}) and guess passwords; chmod 600 ${path}`,
    )
  if (users.size === 0)
    warnings.push(
      `--users ${path} has no user, so that no password is right; add one with "tidegate user add NAME --users ${path}"`,
    )
  // Tokens, certificates and tickets name users who are not in the file.
  if ((tokens ?? kerberos) !== undefined || certificates) return warnings
  for (const name of proxyRules.keys())
    if (!users.has(name))
      warnings.push(
        `--proxy-user ${name} ...: ${path} has no such user; add him with "tidegate user add ${name} --users ${path}"`,
      )
  const absent = superusers.filter((name) => !name.startsWith(GROUP_PREFIX) && !users.has(name))
  return [
    ...warnings,
    ...absent.map(
      (name) =>
        `--superuser ${name}: ${path} has no such user; add him with "tidegate user add ${name} --users ${path}"`,
    ),
  ]
}
