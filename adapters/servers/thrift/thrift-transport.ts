/** How messages of Thrift go to a server: by themselves, each behind its length, or each as the body of a POST. */
export type ThriftTransport = 'buffered' | 'framed' | 'http'
