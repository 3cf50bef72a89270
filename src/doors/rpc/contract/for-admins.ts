import type { AdvertisedStore } from '../../../gateway/catalog/advertised.ts'
import type { RpcMethods } from './rpc-service.ts'

/**
 * A service of which the named methods are for users who may administer everything, where there are permissions. A store asks
 * by itself for what it does; these methods reach none, or one that has nothing to do. HBase: rpcPreCheck, AccessController.
 */
export function forAdmins(
  { upkeep: { permissions } }: Pick<AdvertisedStore, 'upkeep'>,
  methods: RpcMethods,
  names: readonly string[],
): RpcMethods {
  if (permissions === undefined) return methods
  const guarded = new Map(methods)
  for (const name of names) {
    const handle = methods.get(name)!
    guarded.set(name, async (request) => {
      await permissions.requireAdmin(request.call)
      return handle(request)
    })
  }
  return guarded
}
