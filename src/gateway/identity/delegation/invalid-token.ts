import { SaslFailure } from '../../../wire/sasl/sasl.ts'

/** A delegation token that counts for nothing. HBase: SecretManager.InvalidToken, whose messages these are. */
export class InvalidToken extends SaslFailure {
  constructor(reason: string) {
    super(reason, undefined, 'org.apache.hadoop.security.token.SecretManager$InvalidToken')
  }
}
