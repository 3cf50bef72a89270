import { RemoteException } from '../../../src/wire/rpc/remote-exception.ts'

/** What a server answers with an exception of HBase's: `remote('NotServingRegionException')`. */
export function remote(name: string, message = ''): RemoteException {
  const javaClass = `org.apache.hadoop.hbase.${name}`
  return new RemoteException({ javaClass, stackTrace: `${javaClass}: ${message}` })
}
