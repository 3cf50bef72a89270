import type { Call } from '../../../store/call.ts'
import type { NamedRegion } from '../regions/named-region.ts'

export interface EndpointRequest {
  readonly region: NamedRegion
  /** The message of the service's own method. */
  readonly message: Uint8Array
  readonly call: Call
}

/** A service that HBase runs as a coprocessor beside its regions. */
export interface Endpoint {
  /** The Java class of a method's answers. */
  readonly answerClassOf: (method: string) => string
  /** By the method's name on the wire. */
  readonly methods: ReadonlyMap<string, (request: EndpointRequest) => Promise<Uint8Array>>
}
