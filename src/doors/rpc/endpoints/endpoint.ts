import type { Call } from '../../../store/call.ts'
import type { NamedRegion } from '../regions/named-region.ts'

export interface EndpointRequest {
  readonly region: NamedRegion
  /** The request message of the endpoint's method. */
  readonly message: Uint8Array
  readonly call: Call
}

/** A service that HBase runs as a coprocessor beside its regions. */
export interface Endpoint {
  /** Returns the Java class of a method's answer. */
  readonly answerClassOf: (method: string) => string
  /** Methods by their names on the wire. */
  readonly methods: ReadonlyMap<string, (request: EndpointRequest) => Promise<Uint8Array>>
}
