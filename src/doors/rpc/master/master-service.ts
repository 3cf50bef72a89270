import type { RpcMethods } from '../rpc-service.ts'
import { cluster } from './cluster.ts'
import { listings } from './listings.ts'
import type { MasterContext } from './master-context.ts'
import { namespaces } from './namespaces.ts'
import { Procedures } from './procedures.ts'
import { tables } from './tables.ts'

/** HBase: MasterService of the active master. */
export function masterService(of: Omit<MasterContext, 'procedures'>): RpcMethods {
  const context = { ...of, procedures: new Procedures() }
  return new Map([...cluster(context), ...listings(context), ...namespaces(context), ...tables(context)])
}
