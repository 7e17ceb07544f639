// Settings of where Bellhop listens, and by which addresses others reach it.
import { httpUrl, networks, notEmpty, port } from '../setting-texts.ts'
import { setting } from './setting.ts'

export const address = {
  port: setting({
    variable: 'BELLHOP_PORT',
    flag: '--port',
    doc: 'Port to listen on; 0 takes any that is free.',
    default: '8080',
    neededBy: 'who has another program on 8080',
    read: port,
  }),
  host: setting({
    variable: 'BELLHOP_HOST',
    flag: '--host',
    doc: 'Address to listen on.',
    default: '127.0.0.1',
    neededBy: 'who is called from another machine or runs in a container: 0.0.0.0',
    read: notEmpty,
  }),
  publicUrl: setting({
    variable: 'BELLHOP_PUBLIC_URL',
    flag: '--public-url',
    doc: 'Address by which browsers reach the bot, such as https://bellhop.example.com; with https the dashboard’s cookie is sent over TLS only.',
    default: '',
    neededBy: 'who puts it behind a proxy that speaks TLS',
    read: (text) => (text === '' ? text : httpUrl(text)),
  }),
  trustedProxies: setting({
    variable: 'BELLHOP_TRUSTED_PROXIES',
    flag: '--trusted-proxies',
    doc: 'IP addresses and networks of reverse proxies, separated by commas. Their X-Forwarded-For header tells the client’s address, for the lock after wrong admin tokens and for the log. From others, and by default, the header is ignored.',
    example: '10.0.0.0/8,::1',
    default: '',
    neededBy: 'who puts it behind a proxy that several people or programs use',
    read: networks,
  }),
} as const
