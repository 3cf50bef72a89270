import { RemoteException } from '../../../src/wire/rpc/remote-exception.ts'

/** An exception of HBase as a server's answer: `remote('NotServingRegionException')`. */
export function remote(name: string, message = ''): RemoteException {
  const javaClass = `org.apache.hadoop.hbase.${name}`
  return new RemoteException({ javaClass, stackTrace: `${javaClass}: ${message}` })
}
