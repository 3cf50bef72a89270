/** Kerberos of a server's process, or of one of its threads: the login to a cluster, and the services of the doors. */

import type { Logger } from 'pino'
import type { ClusterKerberos } from '../../../adapters/hbase/config/cluster-kerberos.ts'
import type { GuardSettings } from '../../gateway/identity/guard/guard.ts'
import type { SignedCookies } from '../../gateway/identity/guard/negotiate/signed-cookies.ts'
import { openCookies } from '../../gateway/identity/kerberos/open-cookies.ts'
import {
  type OpenKerberosLogins,
  openKerberosLogins,
} from '../../gateway/identity/kerberos/open-kerberos-logins.ts'
import { type Kerberos, KerberosError } from '../../kerberos/kerberos.ts'
import { defaultRealm } from '../../kerberos/names/default-realm.ts'
import type { Metric } from '../../model/metric.ts'
import { StartError } from '../failures/start-error.ts'
import type { ClusterKerberosSpec } from '../settings/kerberos-cluster-options.ts'
import { openClusterKerberos } from './cluster-login.ts'
import { LoginWatch } from './login-watch.ts'

export interface ServerKerberos {
  /** Undefined: no client logs in by Kerberos. */
  readonly doors: OpenKerberosLogins | undefined
  /** Cookies of clients that have logged in by Kerberos; undefined: none do. */
  readonly cookies: SignedCookies | undefined
  /** Undefined: the store is no cluster, or one without Kerberos. */
  readonly cluster: ClusterKerberos | undefined
  readonly metrics: readonly Metric[]
  /** The login's failures, as sentences. */
  troubles(): readonly string[]
  close(): Promise<void>
}

export interface KerberosNeeds {
  readonly guard: GuardSettings | undefined
  readonly cluster: ClusterKerberosSpec | undefined
}

/** Rejects with StartError where a login fails, or a keytab has no key of a principal; nothing is left open then. */
export async function openServerKerberos(
  open: () => Promise<Kerberos>,
  { guard, cluster: spec }: KerberosNeeds,
  logger: Logger,
): Promise<ServerKerberos> {
  let kerberos: Kerberos | undefined
  let doors: OpenKerberosLogins | undefined
  try {
    const cookies = guard?.kerberos && openCookies(guard.kerberos.cookie)
    kerberos = await open()
    doors = guard?.kerberos && (await openKerberosLogins(kerberos, guard.kerberos, defaultRealm()))
    const cluster = spec && (await openClusterKerberos(kerberos, spec))
    return opened(kerberos, { doors, cookies, cluster }, logger, spec?.login.keytab === undefined)
  } catch (error) {
    doors?.close()
    await kerberos?.close()
    if (!(error instanceof KerberosError)) throw error
    throw new StartError(`Kerberos: ${error.message}`, { cause: error })
  }
}

function opened(
  kerberos: Kerberos,
  { doors, cookies, cluster }: Pick<ServerKerberos, 'doors' | 'cookies' | 'cluster'>,
  logger: Logger,
  isOfCache: boolean,
): ServerKerberos {
  const watch = cluster && new LoginWatch(cluster.login, logger, isOfCache).begin()
  if (cluster !== undefined) {
    const { principal, secondsLeft } = cluster.login
    const facts = { principal, secondsLeft: Math.floor(secondsLeft) }
    logger.info(facts, `logged in by Kerberos as ${principal}`)
  }
  return {
    doors,
    cookies,
    cluster,
    metrics: watch === undefined ? [] : [watch.metric],
    troubles: () => (watch?.trouble === undefined ? [] : [watch.trouble]),
    close: async () => {
      watch?.close()
      doors?.close()
      cluster?.login.close()
      await kerberos.close()
    },
  }
}
