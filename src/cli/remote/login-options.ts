/** How commands that ask servers show their user, and whom they trust: `--user`, `--kerberos`, `--tls`, `--tls-ca`, `--tls-certificate`. */

import { readFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import type { Command } from 'commander'
import type { ClusterLogin } from '../../../adapters/hbase/cluster/cluster.ts'
import { reasonOf } from '../../model/error-reason.ts'
import type { LoginMethod } from '../../store/call.ts'
import { UsageError } from '../failures/usage-error.ts'
import { readHidden } from '../terminal/hidden-line.ts'
import { type IdentityFlags, identityOptions, readIdentity, userOf } from './identity-options.ts'
import {
  addKerberosOptions,
  type CommandKerberos,
  type KerberosFlags,
  readKerberos,
} from './kerberos-flags.ts'
import { hostsOf, type ServerAddress } from './server-address.ts'

export interface LoginFlags extends IdentityFlags, KerberosFlags {
  readonly user?: string
  readonly passwordFile?: string
  readonly tls?: true
  readonly tlsCa?: string
}

/** A command's user, and how its connections begin. */
export interface CommandLogin {
  /** Undefined: the user of the operating system, whose name is enough. */
  readonly user: string | undefined
  /** The proof that the command shows; undefined: none. */
  readonly method?: LoginMethod | undefined
  readonly login: ClusterLogin
  /** Undefined: no login by Kerberos. */
  readonly kerberos?: CommandKerberos | undefined
}

export const PASSWORD_VARIABLE = 'TIDEGATE_PASSWORD'

export function addLoginOptions(command: Command): Command {
  const [certificate, key] = identityOptions()
  const described = command
    .option(
      '--user <name>',
      `log in to servers as this user, with the password of ${PASSWORD_VARIABLE}, or asked for`,
    )
    .option('--password-file <file>', 'the password is the first line of this file')
    .option(
      '--tls',
      'encrypt connections to servers, whose certificates authorities that Node knows have signed',
    )
    .option('--tls-ca <file>', 'the same, for the authorities whose certificates (PEM) the file has')
    .addOption(certificate)
    .addOption(key)
  return addKerberosOptions(described)
}

/** `servers`: those that are asked. Throws UsageError. */
export async function readLogin(flags: LoginFlags, servers: readonly ServerAddress[]): Promise<CommandLogin> {
  const { user, passwordFile, tls, tlsCa } = flags
  if (user === undefined && passwordFile !== undefined) throw new UsageError('--password-file needs --user')
  const identity = readIdentity(flags)
  const authorities = tlsCa === undefined ? undefined : fileText('--tls-ca', tlsCa)
  const isEncrypted = tls === true || (authorities ?? identity) !== undefined
  const kerberos = await readKerberos(flags)
  const encryption = isEncrypted ? { tls: { authorities, identity } } : undefined
  if (user === undefined) {
    // A server takes another name than that of the certificate for a user to act for.
    const shown = identity && userOf(identity)
    const ofIdentity = shown === undefined ? undefined : 'CERTIFICATE'
    const method = kerberos === undefined ? ofIdentity : 'KERBEROS'
    return { user: shown, method, login: { isPassed: true, ...encryption }, kerberos }
  }
  if (servers.length > 0 && encryption === undefined && !servers.every(isOfThisMachine))
    process.stderr.write('the password can be read on the way: there is no --tls and no --tls-ca\n')
  const password = await passwordOf(user, passwordFile)
  return { user, method: 'PASSWORD', login: { isPassed: true, ...encryption, password } }
}

async function passwordOf(user: string, file: string | undefined): Promise<string> {
  if (file !== undefined) return fileText('--password-file', file).split(/\r?\n/)[0]!
  const { [PASSWORD_VARIABLE]: stated } = process.env
  // A variable that is there and empty states nothing.
  if (stated !== undefined && stated !== '') return stated
  if (process.stdin.isTTY) return readHidden(`password of ${user}: `)
  throw new UsageError(
    `--user ${user}: there is no password; state ${PASSWORD_VARIABLE} or --password-file FILE`,
  )
}

function fileText(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${flag} ${path}: ${reasonOf(error)}`)
  }
}

function isOfThisMachine(address: ServerAddress): boolean {
  return hostsOf(address).every(
    (host) => host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.')),
  )
}
