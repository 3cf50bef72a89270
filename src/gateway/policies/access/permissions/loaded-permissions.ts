import { HBaseError } from '../../../../model/errors.ts'
import type { Permissions } from '../../../../store/permissions.ts'

/** Throws UNSUPPORTED as HBase without its AccessController does. */
export function loadedPermissions(permissions: Permissions | undefined): Permissions {
  if (permissions !== undefined) return permissions
  throw new HBaseError(
    'UNSUPPORTED',
    'org.apache.hadoop.hbase.security.access.AccessController is not loaded',
  )
}
