// A certificate authority of one's own and a certificate of 127.0.0.1 that it signed, made by openssl.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0

const ecKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']

export type OwnAuthority = ReturnType<typeof makeAuthority>

/** In a new folder, which the caller removes; key and certificate are for 127.0.0.1. Throws what openssl says. */
export function makeAuthority() {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-authority-'))
  const [caKey, caFile, key, cert] = ['ca-key.pem', 'ca.pem', 'key.pem', 'cert.pem'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  openssl(['req', '-x509', ...ecKey, '-subj', '/CN=Own authority', '-keyout', caKey, '-out', caFile])
  const signed = [
    '-CA',
    caFile,
    '-CAkey',
    caKey,
    '-addext',
    'basicConstraints=CA:FALSE',
    '-addext',
    'subjectAltName=IP:127.0.0.1',
  ]
  openssl(['req', '-x509', ...ecKey, '-subj', '/CN=127.0.0.1', ...signed, '-keyout', key, '-out', cert])
  return { folder, caFile, key: readFileSync(key), cert: readFileSync(cert) }
}

function openssl(args: readonly string[]): void {
  const { status, stderr } = spawnSync('openssl', args)
  if (status !== 0) throw new Error(String(stderr))
}
