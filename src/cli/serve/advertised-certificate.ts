import type { Certificates } from '../../gateway/identity/tls/certificates.ts'
import { type AdvertiseValues, ANY_ADDRESS } from '../settings/advertise-options.ts'

type Settings = Pick<AdvertiseValues, 'advertise'> & {
  readonly host: string
  readonly ports: { readonly rpc: number | 'off' }
}

/** A warning where clients of native RPC are sent to a name that no certificate is for. Undefined where they are not. */
export function advertisedNameWarning(
  { host, advertise, ports }: Settings,
  advertised: string,
  certificates: Pick<Certificates, 'isFor'> | undefined,
): string | undefined {
  // On one address without --advertise, clients are sent where they came from.
  const isChosen = advertise !== undefined || ANY_ADDRESS.has(host)
  if (certificates === undefined || ports.rpc === 'off' || !isChosen || certificates.isFor(advertised))
    return undefined
  return `clients of native RPC and ZooKeeper are sent to ${advertised}, and no --tls-certificate is for that name: they will refuse the connection; give --advertise with a name of the certificate`
}
