import { UnfitFileError } from '../../../model/unfit-file.ts'

/** A file of certificates or keys cannot be used. The message names the file and the reason. */
export class KeyStoreError extends UnfitFileError {
  /** The key of hbase-site.xml that states the file or its password. */
  readonly key: string

  constructor(key: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.key = key
  }
}
