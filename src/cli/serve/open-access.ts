import type { Logger } from 'pino'
import type { DelegationTokens } from '../../gateway/identity/delegation/delegation-tokens.ts'
import { GuardFileError } from '../../gateway/identity/files/guard-file-error.ts'
import type { Guard, GuardParts, GuardSettings } from '../../gateway/identity/guard/guard.ts'
import type { TrustedProxies } from '../../gateway/identity/proxies/trusted-proxies.ts'
import { CertificateError, Certificates } from '../../gateway/identity/tls/certificates.ts'
import type { AuditLog } from '../../gateway/observing/audit/audit-log.ts'
import type { Authorization } from '../../gateway/policies/authorization.ts'
import { StartError } from '../failures/start-error.ts'
import { openKerberosOf } from '../kerberos/open-kerberos.ts'
import type { ServerKerberos } from '../kerberos/server-kerberos.ts'
import type { DoorSettings } from '../settings/door-options.ts'
import type { AccessSettings } from '../settings/guard-options.ts'
import type { StoreSpec } from '../settings/store-options.ts'

export interface Access {
  /** Undefined: connections are not encrypted. */
  readonly certificates: Certificates | undefined
  /** Undefined: clients need no login. */
  readonly guard: Guard | undefined
  /** Undefined: any user may do everything. */
  readonly authorization: Authorization | undefined
  /** Undefined: the settings ask for no login by Kerberos. */
  readonly kerberos: ServerKerberos | undefined
  /** Undefined: no proxy is trusted. */
  readonly trustedProxies: TrustedProxies | undefined
  /** A sentence for each file that cannot be read again, so that its older text counts, and for each that has expired. */
  readonly troubles: () => readonly string[]
  /** Reads all files again. Those that cannot be used are logged, and change nothing. */
  readonly reload: () => void
}

export interface AccessParts {
  readonly audit?: AuditLog | undefined
  /** The store, which may be a cluster that asks for a login by Kerberos; undefined: this part of the server has none. */
  readonly store?: StoreSpec | undefined
  /** False: another part of the server has logged what the settings leave open. */
  readonly warns?: boolean
}

/** Reads the files of the settings. Throws StartError. */
export async function openAccess(
  {
    tls,
    guard: guardSettings,
    authorization: authorizationSettings,
    trustedProxies: proxies,
    open,
    idle,
    corsOrigins,
  }: AccessSettings & Pick<DoorSettings, 'corsOrigins'>,
  logger: Logger,
  { audit, store, warns = true }: AccessParts = {},
): Promise<Access> {
  let certificates: Certificates | undefined
  let authorization: Authorization | undefined
  let kerberos: ServerKerberos | undefined
  try {
    certificates = tls && new Certificates(tls, logger)
    if (authorizationSettings !== undefined) {
      const { openAuthorization } = await import('../../gateway/policies/authorization.ts')
      authorization = openAuthorization(authorizationSettings, logger)
    }
    const subjects = authorization?.subjects
    const groupsOf = subjects && ((user: string) => subjects.groupsOf(user))
    kerberos = await openKerberosOf({ store, guard: guardSettings }, logger)
    const parts = { audit, kerberos: kerberos?.doors, cookies: kerberos?.cookies, groupsOf, corsOrigins }
    const guard = guardSettings && (await openGuard(guardSettings, logger, parts))
    if (warns) {
      for (const sentence of [...open.map((opening) => `insecure: ${opening}`), ...idle])
        logger.warn(sentence)
      if (guardSettings !== undefined) {
        const { loginWarnings } = await import('./login-warnings.ts')
        for (const warning of loginWarnings(guardSettings, authorizationSettings, guard?.users))
          logger.warn(warning)
      }
    }
    const troubles = (): readonly string[] =>
      [guard?.troubles, authorization?.trouble(), certificates?.troubles, kerberos?.troubles()]
        .flat()
        .filter(isFaultReported)
    const reload = (): void => {
      for (const part of [certificates, guard, authorization]) part?.reload()
    }
    return {
      certificates,
      guard,
      authorization,
      kerberos,
      trustedProxies: await openProxies(proxies),
      troubles,
      reload,
    }
  } catch (error) {
    certificates?.close()
    authorization?.close()
    await kerberos?.close()
    const flag = flagOf(error)
    if (flag === undefined) throw error
    throw new StartError(`${flag}: ${(error as Error).message}`, { cause: error })
  }
}

/** Only servers that need them load the code of the guard and of tokens. */
async function openGuard(settings: GuardSettings, logger: Logger, parts: GuardParts): Promise<Guard> {
  const { Guard } = await import('../../gateway/identity/guard/guard.ts')
  return new Guard(settings, logger, { ...parts, delegation: await openDelegation(settings, logger, parts) })
}

/** Undefined where no client of native RPC logs in by Kerberos: such clients alone get tokens. */
async function openDelegation(
  { delegation }: GuardSettings,
  logger: Logger,
  { kerberos }: GuardParts,
): Promise<DelegationTokens | undefined> {
  if (delegation === undefined || kerberos?.serviceAt('rpc') === undefined) return undefined
  const { SignedTokens } = await import('../../gateway/identity/delegation/signed-tokens.ts')
  return new SignedTokens(delegation, { logger })
}

async function openProxies(addresses: readonly string[]): Promise<TrustedProxies | undefined> {
  if (addresses.length === 0) return undefined
  const { TrustedProxies } = await import('../../gateway/identity/proxies/trusted-proxies.ts')
  return new TrustedProxies(addresses)
}

function isFaultReported(trouble: string | undefined): trouble is string {
  return trouble !== undefined
}

function flagOf(error: unknown): string | undefined {
  return error instanceof CertificateError || error instanceof GuardFileError ? error.flag : undefined
}
