/** A real HBase whose servers take TLS alone, and clients with a certificate alone. */

import { Authority, type Issued, PemFolder } from '../certificates.ts'
import { QUICK_SETTINGS } from './quick-settings.ts'
import { RealHBase } from './real-hbase.ts'

/** The ports of its servers, and paths of PEM files. */
export interface TlsHBaseAddress {
  readonly zookeeper: number
  readonly regionServer: number
  readonly authority: string
  /** The authority of no server. */
  readonly stranger: string
  /** A client's certificate with its key. */
  readonly client: string
  /** The same of the other authority. */
  readonly strangeClient: string
}

export interface TlsHBase {
  readonly address: TlsHBaseAddress
  stop(): Promise<void>
}

/** HBase checks that a client's certificate names the client's host, too. */
const HOSTS = ['localhost', '127.0.0.1']

export async function startTlsHBase(): Promise<TlsHBase> {
  const folder = new PemFolder()
  const file = (name: string, { certificate, key }: Issued): string =>
    folder.file(name, `${certificate}\n${key}\n`)
  const authority = await Authority.make()
  const stranger = await Authority.make('Stranger')
  const authorityFile = folder.file('authority.pem', authority.certificate)
  const server = file('server.pem', await authority.issue({ name: 'localhost', hosts: HOSTS }))
  try {
    const hbase = await RealHBase.start({
      gateways: false,
      settings: {
        ...QUICK_SETTINGS,
        'hbase.server.netty.tls.enabled': 'true',
        'hbase.server.netty.tls.supportplaintext': 'false',
        'hbase.client.netty.tls.enabled': 'true',
        'hbase.rpc.tls.keystore.location': server,
        'hbase.rpc.tls.truststore.location': authorityFile,
      },
    })
    const { zookeeper, regionServer } = hbase.ports
    return {
      address: {
        zookeeper,
        regionServer,
        authority: authorityFile,
        stranger: folder.file('stranger.pem', stranger.certificate),
        client: file('client.pem', await authority.issue({ name: 'tidegate', hosts: HOSTS })),
        strangeClient: file('strange-client.pem', await stranger.issue({ name: 'tidegate', hosts: HOSTS })),
      },
      stop: async () => {
        await hbase.stop()
        folder.remove()
      },
    }
  } catch (error) {
    folder.remove()
    throw error
  }
}
