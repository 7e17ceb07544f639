// Names of files that hold secrets (api-v4.md §2.7 prevent_secrets): the fixed list of real installations, by name alone.

const patterns = [
  // The AWS command line's passwords.
  /aws\/credentials$/,
  // Private SSH keys; their `.pub` halves may be committed.
  /(?:^|\/)\.?id_(?:rsa|dsa|ed25519|ecdsa)$/,
  /(?:^|\/)(?:\.?ssh|config)\/(?:personal|server)_(?:rsa|dsa|ed25519|ecdsa)$/,
  // Certificates and private keys.
  /\.(?:pem|key)$/,
  // What was typed into shells and consoles.
  /[._]history$/,
]

/** The pattern that a path falls under, or undefined. */
export function secretPattern(path: string): string | undefined {
  return patterns.find((pattern) => pattern.test(path))?.source
}
