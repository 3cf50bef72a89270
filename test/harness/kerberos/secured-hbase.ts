/**
 * A real HBase 2.6.1 that takes logins of Kerberos only, with its REST and Thrift servers, for comparisons and as the cluster behind Tidegate.
 * HBase is one principal, hbase/localhost, which is its superuser, too; its gateways are rest/localhost and thrift/localhost.
 * ZooKeeper takes any client.
 */

import { PROTECTIONS, type Protection } from '../../../src/wire/sasl/sasl.ts'
import { QUICK_SETTINGS } from '../real-hbase/quick-settings.ts'
import { RealHBase, type RealHBaseOptions } from '../real-hbase/real-hbase.ts'
import { kerberosJavaOptions } from './java-options.ts'
import type { KerberosRealm } from './kerberos-realm.ts'
import { serviceKeytab } from './service-keytab.ts'

export interface SecuredHBaseOptions {
  /** hbase.rpc.protection of the servers and of the gateways as clients; with several the client chooses. Default: all. */
  readonly protections?: readonly Protection[]
  /** Messages of native RPC are encrypted by CryptoAES after the login. It needs the protection privacy. */
  readonly aes?: boolean
  /** hbase.thrift.security.qop of the Thrift servers' sockets; default: auth. */
  readonly thriftQop?: 'auth' | 'auth-int' | 'auth-conf'
  /** Both Thrift servers speak HTTP with SPNEGO. */
  readonly thriftHttp?: boolean
  /** TLS of native RPC: a file of PEM with the servers' key and certificates. Plain connections are refused. */
  readonly tlsKeystore?: string
  /** Short names that may act as any user; default: rest, thrift and tidegate. */
  readonly proxyUsers?: readonly string[]
  /** Default: all of REST, Thrift 1 and Thrift 2. */
  readonly gateways?: RealHBaseOptions['gateways']
  readonly servers?: number
  /** More of hbase-site.xml. */
  readonly settings?: Readonly<Record<string, string | number>>
}

type Settings = Readonly<Record<string, string | number>>

const COPROCESSOR = 'org.apache.hadoop.hbase.security.access.AccessController'
const TOKENS = 'org.apache.hadoop.hbase.security.token.TokenProvider'

/** The settings by which a Java client logs in to such a cluster. A client's protection must be one that the servers take. */
export function securedClientSettings(
  realm: KerberosRealm,
  zookeeperPort: number,
  protection: Protection = 'authentication',
): Settings {
  return {
    ...securitySettings(realm),
    'hbase.rpc.protection': protection,
    'hbase.zookeeper.quorum': '127.0.0.1',
    'hbase.zookeeper.property.clientPort': zookeeperPort,
  }
}

function securitySettings({ realm }: KerberosRealm): Settings {
  return {
    'hadoop.security.authentication': 'kerberos',
    'hbase.security.authentication': 'kerberos',
    'hbase.master.kerberos.principal': `hbase/localhost@${realm}`,
    'hbase.regionserver.kerberos.principal': `hbase/localhost@${realm}`,
  }
}

async function clusterSettings(realm: KerberosRealm, options: SecuredHBaseOptions): Promise<Settings> {
  const keytab = await serviceKeytab(realm, 'hbase/localhost')
  const proxyUsers = options.proxyUsers ?? ['rest', 'thrift', 'tidegate']
  return {
    ...securitySettings(realm),
    'hbase.master.keytab.file': keytab,
    'hbase.regionserver.keytab.file': keytab,
    'hbase.rpc.protection': (options.protections ?? PROTECTIONS).join(','),
    'hbase.rpc.crypto.encryption.aes.enabled': String(options.aes ?? false),
    ...(options.tlsKeystore !== undefined && tlsSettings(options.tlsKeystore)),
    'hbase.security.authorization': 'true',
    // Without it HBase lets any user act as any other.
    'hadoop.security.authorization': 'true',
    'hbase.superuser': 'hbase',
    'hbase.coprocessor.master.classes': COPROCESSOR,
    'hbase.coprocessor.regionserver.classes': COPROCESSOR,
    'hbase.coprocessor.region.classes': `${TOKENS},${COPROCESSOR}`,
    ...Object.fromEntries(
      proxyUsers.flatMap((user) =>
        ['hosts', 'groups'].map((rule) => [`hadoop.proxyuser.${user}.${rule}`, '*']),
      ),
    ),
  }
}

/** The servers' own connections to each other use TLS too, and trust the same file. */
function tlsSettings(keystore: string): Settings {
  return {
    'hbase.server.netty.tls.enabled': 'true',
    'hbase.server.netty.tls.supportplaintext': 'false',
    'hbase.server.netty.tls.client.auth.mode': 'NONE',
    'hbase.client.netty.tls.enabled': 'true',
    ...Object.fromEntries(
      ['keystore', 'truststore'].flatMap((store) => [
        [`hbase.rpc.tls.${store}.location`, keystore],
        [`hbase.rpc.tls.${store}.type`, 'PEM'],
      ]),
    ),
  }
}

async function gatewaySettings(realm: KerberosRealm, options: SecuredHBaseOptions): Promise<Settings> {
  const web = await serviceKeytab(realm, 'HTTP/localhost')
  return {
    'hbase.rest.kerberos.principal': `rest/localhost@${realm.realm}`,
    'hbase.rest.keytab.file': await serviceKeytab(realm, 'rest/localhost'),
    'hbase.rest.authentication.type': 'kerberos',
    'hbase.rest.authentication.kerberos.principal': `HTTP/localhost@${realm.realm}`,
    'hbase.rest.authentication.kerberos.keytab': web,
    'hbase.rest.support.proxyuser': 'true',
    'hbase.thrift.kerberos.principal': `thrift/localhost@${realm.realm}`,
    'hbase.thrift.keytab.file': await serviceKeytab(realm, 'thrift/localhost'),
    'hbase.thrift.spnego.principal': `HTTP/localhost@${realm.realm}`,
    'hbase.thrift.spnego.keytab.file': web,
    'hbase.thrift.security.qop': options.thriftQop ?? 'auth',
    'hbase.regionserver.thrift.http': String(options.thriftHttp ?? false),
    'hbase.thrift.support.proxyuser': String(options.thriftHttp ?? false),
  }
}

/** Starts it on the realm's KDC, which must serve. Rejects with the end of a log where a process does not answer. */
export async function startSecuredHBase(
  realm: KerberosRealm,
  options: SecuredHBaseOptions = {},
): Promise<RealHBase> {
  return RealHBase.start({
    servers: options.servers ?? 1,
    gateways: options.gateways ?? true,
    settings: {
      ...QUICK_SETTINGS,
      ...(await clusterSettings(realm, options)),
      ...(await gatewaySettings(realm, options)),
      ...options.settings,
    },
    environment: realm.environment,
    javaOptions: kerberosJavaOptions(realm),
  })
}
