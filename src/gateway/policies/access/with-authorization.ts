/** A store with access control by the permissions in hbase:acl. HBase: hbase.security.authorization, and the AccessController. */

import { OWN_CALL } from '../../../store/call.ts'
import { withFacets } from '../../../store/decorate.ts'
import { intercepted } from '../../../store/interceptors.ts'
import type { Store } from '../../../store/store.ts'
import type { AdvertisedStore } from '../../catalog/advertised.ts'
import type { ChangeCount } from '../own-tables/current-content.ts'
import { makeOwnTable } from '../own-tables/made-table.ts'
import { noticedChanges } from '../own-tables/noticed-changes.ts'
import { AccessChecker } from './access-checker.ts'
import { authorizedCatalog } from './authorized-catalog.ts'
import { authorizedSnapshots } from './authorized-snapshots.ts'
import {
  authorizedBulkLoads,
  authorizedChanges,
  authorizedQuotas,
  authorizedRegions,
} from './authorized-upkeep.ts'
import { authorizedRows } from './cells/authorized-rows.ts'
import { EARLY_OUT } from './cells/early-out.ts'
import { withCodedRules } from './coded-rules.ts'
import { ruledOperations } from './operation-rules.ts'
import { ACL_DESCRIPTOR, ACL_TABLE } from './permissions/acl-rows.ts'
import { AclTable } from './permissions/acl-table.ts'
import { currentGrants } from './permissions/current-grants.ts'
import { StoredPermissions } from './permissions/stored-permissions.ts'
import type { Subjects } from './permissions/subject.ts'

/** The longest time until changes of a cluster's hbase:acl by others take effect here. */
const SHARED_MS_MAX = 1000

export interface AuthorizationConfig {
  /** See endsEarly. */
  readonly earlyOut?: boolean
  /** False where the store names one user as the owner of all snapshots: a cluster knows the gateway's user alone. */
  readonly areOwnersKnown?: boolean
  /** Counts changes of permissions, where other threads have to know of them. */
  readonly changes?: ChangeCount | undefined
}

/** `keeper`: the same store for the server's own writes, also where clients may not write. */
export async function withAuthorization(
  store: AdvertisedStore,
  keeper: Store,
  subjects: Subjects,
  { earlyOut = EARLY_OUT, areOwnersKnown = true, changes }: AuthorizationConfig = {},
): Promise<AdvertisedStore> {
  const table = new AclTable(store)
  let isMade = false
  const read = async (): ReturnType<AclTable['all']> => {
    if (!isMade) await makeOwnTable(keeper.catalog, ACL_DESCRIPTOR)
    isMade = true
    return table.all(OWN_CALL)
  }
  // A store with system tables of its own is a cluster. Others write its tables, too, and it may start later than the gateway.
  const isCluster = store.catalog.hasSystemTables
  const current = currentGrants(read, { changes, ...(isCluster && { ageMsMax: SHARED_MS_MAX }) })
  if (!isCluster) await current.get()
  const keepsTags = !isCluster
  const checker = new AccessChecker(subjects, () => current.get())
  const permissions = new StoredPermissions(table, checker, current, keepsTags)
  const aclChanged = (): void => current.changed()
  const noticed = intercepted(store, noticedChanges(ACL_TABLE, aclChanged))
  const { handouts, catalog, upkeep } = noticed
  const parts = { catalog, checker }
  const ruled = withCodedRules(withFacets(noticed, { catalog, upkeep: { ...upkeep, permissions } }), {
    rows: (rows) => authorizedRows({ rows, handouts, catalog, checker, keepsTags, earlyOut, aclChanged }),
    catalog: (own) => authorizedCatalog(own, checker, permissions),
    regions: (regions) => authorizedRegions(regions, parts),
    snapshots: (snapshots) => authorizedSnapshots(snapshots, { checker, permissions, areOwnersKnown }),
    bulkLoads: (bulkLoads) => authorizedBulkLoads(bulkLoads, parts),
    quotas: (quotas) => authorizedQuotas(quotas, parts),
    changes: (changes) => authorizedChanges(changes, parts),
  })
  return intercepted(ruled, ruledOperations(checker, catalog))
}
