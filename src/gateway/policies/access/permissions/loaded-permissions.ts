import { HBaseError } from '../../../../model/errors.ts'
import type { Permissions } from '../../../../store/permissions.ts'

/** The permissions of a store. Throws UNSUPPORTED where there are none, like HBase without its AccessController. */
export function loadedPermissions(permissions: Permissions | undefined): Permissions {
  if (permissions !== undefined) return permissions
  throw new HBaseError(
    'UNSUPPORTED',
    'org.apache.hadoop.hbase.security.access.AccessController is not loaded',
  )
}
