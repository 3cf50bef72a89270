import type { Logger } from 'pino'
import { CertificateError, Certificates } from '../gateway/tls/certificates.ts'
import type { TlsSettings } from '../gateway/tls/tls-settings.ts'
import { StartError } from './start-error.ts'

/** Undefined without settings. Throws StartError. */
export function openCertificates(
  settings: TlsSettings | undefined,
  logger: Logger,
): Certificates | undefined {
  if (settings === undefined) return undefined
  try {
    return new Certificates(settings, logger)
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error
    throw new StartError(`--tls-certificate: ${error.message}`, { cause: error })
  }
}
