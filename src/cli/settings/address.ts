// Settings: where Bellhop listens, and its addresses.
import { networks, notEmpty, optionalHttpUrl, port, setting } from './setting.ts'

export const address = {
  port: setting('BELLHOP_PORT', port, {
    doc: 'Port to listen on; 0 takes any free port.',
    default: '8080',
    setWhen: 'port 8080 is taken',
  }),
  host: setting('BELLHOP_HOST', notEmpty, {
    doc: 'Address to listen on. With 127.0.0.1 only this machine can connect, with 0.0.0.0 others too.',
    default: '127.0.0.1',
    setWhen: 'other machines connect, or it runs in a container: 0.0.0.0',
  }),
  publicUrl: setting('BELLHOP_PUBLIC_URL', optionalHttpUrl, {
    doc: 'Address of Bellhop for browsers, such as https://bellhop.example.com; with https the dashboard’s cookie is sent over TLS only. Statuses link the dashboard there.',
    setWhen: 'a TLS proxy is in front',
  }),
  trustedProxies: setting('BELLHOP_TRUSTED_PROXIES', networks, {
    doc: 'IP addresses and networks of reverse proxies, separated by commas. Their X-Forwarded-For header names the client, for the lock after wrong admin tokens and for the log. From other senders, and by default, the header is ignored.',
    example: '10.0.0.0/8,::1',
    setWhen: 'several clients share a proxy',
  }),
} as const
