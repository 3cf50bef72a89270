/** Opens Kerberos where settings ask for it. Nothing of it is loaded otherwise. */

import type { Logger } from 'pino'
import type { GuardSettings } from '../../gateway/identity/guard/guard.ts'
import type { Kerberos } from '../../kerberos/kerberos.ts'
import type { StoreSpec } from '../settings/store-options.ts'
import type { ServerKerberos } from './server-kerberos.ts'

/** Undefined: no setting asks for Kerberos. Rejects with StartError where a login fails, or a keytab has no key of a principal. */
export async function openKerberosOf(
  { store, guard }: { readonly store: StoreSpec | undefined; readonly guard: GuardSettings | undefined },
  logger: Logger,
): Promise<ServerKerberos | undefined> {
  const cluster = store?.kind === 'hbase' ? store.kerberos : undefined
  if (cluster === undefined && guard?.kerberos === undefined) return undefined
  const { openServerKerberos } = await import('./server-kerberos.ts')
  return openServerKerberos(openSystemKerberos, { guard, cluster }, logger)
}

/** Rejects with KerberosError where the system has no GSSAPI, or the package koffi is not installed. */
export async function openSystemKerberos(): Promise<Kerberos> {
  const { openKerberos } = await import('../../kerberos/gss/open-kerberos.ts')
  return openKerberos()
}
