// Names of files that hold secrets (api-v4.md §2.7 prevent_secrets): GitLab's list.

const patterns = [
  // AWS credentials.
  /aws\/credentials$/,
  // Private SSH keys.
  /(?:^|\/)\.?id_(?:rsa|dsa|ed25519|ecdsa)$/,
  /(?:^|\/)(?:\.?ssh|config)\/(?:personal|server)_(?:rsa|dsa|ed25519|ecdsa)$/,
  /\.(?:pem|key)$/,
  // Shell histories.
  /[._]history$/,
]

export function secretPattern(path: string): string | undefined {
  return patterns.find((pattern) => pattern.test(path))?.source
}
