/** Runs calls of endpoints: HBase's own coprocessors, which Tidegate has built in. HBase: HRegion.execService. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import type { AdvertisedStore } from '../../../gateway/catalog/advertised.ts'
import type { DoorContext } from '../../../gateway/door.ts'
import type { Limits } from '../../../gateway/limits/limits.ts'
import { HBaseError } from '../../../model/errors.ts'
import type { Call } from '../../../store/call.ts'
import type { CoprocessorServiceCall } from '../../../wire/rpc/gen/client_pb.ts'
import type { NameBytesPairSchema } from '../../../wire/rpc/gen/hbase_pb.ts'
import type { NamedRegion } from '../regions/named-region.ts'
import type { ServedRegions } from '../regions/served-regions.ts'
import { accessControlEndpoint } from './access-control.ts'
import { aggregateEndpoint } from './aggregate.ts'
import { authenticationEndpoint } from './authentication.ts'
import type { Endpoint } from './endpoint.ts'
import { multiRowMutationEndpoint } from './multi-row-mutation.ts'
import { visibilityLabelsEndpoint } from './visibility-labels.ts'

/** Package of HBase's services. Clients may send it before a service's name; only within a Multi, HBase's server refuses that. */
const PACKAGE = 'hbase.pb.'

export class Endpoints {
  readonly #endpoints: ReadonlyMap<string, Endpoint>

  constructor(
    store: Pick<AdvertisedStore, 'rows' | 'handouts' | 'upkeep'>,
    limits: Pick<Limits, 'batchMax'>,
    regions: Pick<ServedRegions, 'checkIsWritable'>,
    { guard, audit }: Pick<DoorContext, 'guard' | 'audit'>,
  ) {
    const { permissions, labels } = store.upkeep
    this.#endpoints = new Map([
      ['AggregateService', aggregateEndpoint(store)],
      ['MultiRowMutationService', multiRowMutationEndpoint(store, limits, regions)],
      ...(guard ? ([['AuthenticationService', authenticationEndpoint({ guard, audit })]] as const) : []),
      ...(permissions ? ([['AccessControlService', accessControlEndpoint(permissions)]] as const) : []),
      ...(labels ? ([['VisibilityLabelsService', visibilityLabelsEndpoint(labels)]] as const) : []),
    ])
  }

  /** Runs a call. Resolves to the answer with its Java class. Throws DO_NOT_RETRY for an unknown service or method. */
  async run(
    region: NamedRegion,
    { serviceName, methodName, request }: CoprocessorServiceCall,
    call: Call,
  ): Promise<MessageInitShape<typeof NameBytesPairSchema>> {
    const name = serviceName.startsWith(PACKAGE) ? serviceName.slice(PACKAGE.length) : serviceName
    const endpoint = this.#endpoints.get(name)
    if (endpoint === undefined) {
      throw unknownProtocol(`No registered coprocessor service found for ${name} in region ${region.name}`)
    }
    const method = endpoint.methods.get(methodName)
    if (method === undefined) {
      throw unknownProtocol(`Unknown method ${methodName} called on service ${PACKAGE}${name}`)
    }
    return {
      name: endpoint.answerClassOf(methodName),
      value: await method({ region, message: request, call }),
    }
  }
}

function unknownProtocol(message: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', message, {
    javaClass: 'org.apache.hadoop.hbase.exceptions.UnknownProtocolException',
  })
}
