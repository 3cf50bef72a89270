import { ClientService } from '../../../wire/rpc/gen/client_pb.ts'
import { generated, type RpcHandler } from '../contract/rpc-service.ts'
import { specifierOf } from '../messages/region-message.ts'
import { type ClientContext, inRegion } from './client-context.ts'

/** HBase: RSRpcServices.execService. */
export function execService({ regions, endpoints }: ClientContext): readonly [string, RpcHandler] {
  return generated(ClientService.method.execService, async ({ region, call: asked }, { call }) => {
    const target = await regions.ref(specifierOf(region!), call)
    const value = await inRegion(target, () => endpoints.run(target, asked!, call))
    return { region: { type: region!.type, value: region!.value }, value }
  })
}
