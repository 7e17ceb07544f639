// Settings of the hosting service: where it is, how it is reached, and as whom.
import { apiToken, httpUrl, proxy, serviceName, trimmed } from '../setting-texts.ts'
import { setting } from './setting.ts'

export const service = {
  services: setting({
    variable: 'BELLHOP_SERVICES',
    flag: '--services',
    doc: 'A YAML file that names several hosting services, each with its address, token and secrets, in place of the settings of one; see docs/operating.md.',
    example: '/etc/bellhop/services.yml',
    default: '',
    neededBy: 'who works for several hosting services in one process',
    read: trimmed,
  }),
  serviceUrl: setting({
    variable: 'BELLHOP_SERVICE_URL',
    flag: '--service-url',
    doc: 'Address of the hosting service.',
    example: 'https://git.example.com',
    insteadOf: ['services'],
    neededBy: 'everybody',
    read: httpUrl,
  }),
  serviceToken: setting({
    variable: 'BELLHOP_SERVICE_TOKEN',
    flag: '--service-token',
    doc: 'The bot’s own API token (scope api).',
    secret: true,
    insteadOf: ['serviceTokenFile', 'services'],
    neededBy: 'everybody, or its file',
    read: apiToken,
  }),
  serviceTokenFile: setting({
    variable: 'BELLHOP_SERVICE_TOKEN_FILE',
    flag: '--service-token-file',
    doc: 'A file that holds the bot’s API token, in place of BELLHOP_SERVICE_TOKEN; read again before each request, so that a new token needs no restart.',
    default: '',
    neededBy: 'who changes the token while the bot runs',
    read: trimmed,
  }),
  proxy: setting({
    variable: 'BELLHOP_PROXY',
    flag: '--proxy',
    doc: 'The proxy that the service is reached through, http://[user:password@]host:port; or the word environment: the one that HTTPS_PROXY, HTTP_PROXY and NO_PROXY say.',
    default: '',
    secret: true,
    neededBy: 'who reaches the service through a proxy',
    read: proxy,
  }),
  caFile: setting({
    variable: 'BELLHOP_CA_FILE',
    flag: '--ca-file',
    doc: 'A file with certificates (PEM) of authorities that are trusted beside the usual ones, for the service and its proxy; `bellhop hooks rotate` asks Bellhop itself with them, too.',
    default: '',
    neededBy: 'who has a service with a certificate of a private authority',
    read: trimmed,
  }),
  serviceName: setting({
    variable: 'BELLHOP_SERVICE_NAME',
    flag: '--service-name',
    doc: 'The service’s name in logs, queue and journal; the address’s host without it.',
    default: '',
    neededBy: 'who moves the service to another address and keeps queue and journal',
    read: serviceName,
  }),
} as const
