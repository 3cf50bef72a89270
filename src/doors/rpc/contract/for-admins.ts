import type { AdvertisedStore } from '../../../gateway/catalog/advertised.ts'
import type { RpcMethods } from './rpc-service.ts'

/**
 * Guards the named methods of a service: where there are permissions, only global administrators may call them. Other methods are checked
 * by the store as it carries them out; these ones reach no store. HBase: rpcPreCheck, AccessController.
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
