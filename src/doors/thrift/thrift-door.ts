import type { Door, DoorAddress, DoorContext } from '../../gateway/door.ts'
import { SIBLINGS_FRONT } from '../../gateway/siblings/handed-on.ts'
import { unlimitedOf } from '../../gateway/siblings/unlimited.ts'
import { loadSchema } from '../../wire/thrift/idl-files.ts'
import type { DeclaredService } from './contract/method-table.ts'
import type { ThriftService } from './contract/thrift-service.ts'
import { ForwardedScans } from './transport/forwarded-scans.ts'
import { ThriftListener } from './transport/thrift-listener.ts'

/** Thrift 1 and Thrift 2 over one store. */
export interface ThriftDoorServices {
  readonly thrift1: ThriftService
  readonly thrift2: ThriftService
  /** Closes the scanners that clients have left open. */
  close(): Promise<void>
}

/** Both services, in every dialect of Thrift, on one port. */
export async function startThriftDoor(
  context: Pick<
    DoorContext,
    | 'limits'
    | 'memory'
    | 'decoding'
    | 'descriptorsMax'
    | 'certificates'
    | 'guard'
    | 'trustedProxies'
    | 'audit'
    | 'logger'
    | 'access'
    | 'siblings'
    | 'handover'
    | 'incoming'
  >,
  address: DoorAddress,
  services: ThriftDoorServices,
): Promise<Door> {
  const { siblings } = context
  const forwarding = siblings && new ForwardedScans(siblings)
  const both = [declared('thrift1', services.thrift1), declared('thrift2', services.thrift2)]
  const listener = new ThriftListener({ services: both, ...context, forwarding })
  for (const { name, openScanners } of [services.thrift1, services.thrift2]) {
    if (openScanners !== undefined) listener.counters.scanners(name, openScanners)
  }
  const ofSiblings =
    siblings &&
    new ThriftListener({
      ...context,
      services: both,
      limits: unlimitedOf(context.limits),
      descriptorsMax: undefined,
      access: undefined,
      // The clients of this listener are sibling processes, whose own clients have logged in there.
      front: SIBLINGS_FRONT,
      handover: undefined,
      incoming: undefined,
      guard: undefined,
      trustedProxies: undefined,
      counters: listener.counters,
    })
  if (siblings !== undefined) await ofSiblings?.listenToSiblings(siblings)
  let port: number
  try {
    port = await listener.listen(address)
  } catch (error) {
    await ofSiblings?.close()
    throw error
  }
  return {
    port,
    counters: listener.counters,
    close: async () => {
      await Promise.all([listener.close(), ofSiblings?.close()])
      forwarding?.close()
      await services.close()
    },
  }
}

function declared(idl: 'thrift1' | 'thrift2', service: ThriftService): DeclaredService {
  const schema = loadSchema(idl).services.get(service.name)
  if (schema === undefined) throw new TypeError(`idl/${idl}.thrift declares no ${service.name}`)
  return { schema, service }
}
