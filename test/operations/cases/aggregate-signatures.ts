// Document 1, operation 1.

import { chainIds } from '../../../src/simulator/world/fixed-ids.ts'
import { unsignedMessage } from '../../../src/simulator/world/warp.ts'
import type { Cases } from '../cases.ts'

const request = 'POST /v1/signatureAggregator/fuji/aggregateSignatures'
const given = { network: 'fuji', message: '0x0000ab' }
const defaults = { quorumPercentage: 67, quorumPercentageBuffer: 0, pChainHeight: 0 }

const message = () => `0x${Buffer.from(unsignedMessage(chainIds.C, Buffer.from('ab', 'hex'))).toString('hex')}`

export const cases: Cases = {
  operation: 'aggregate-signatures',
  simulated: () => ({ network: 'fuji', message: message(), signingSubnetId: '11111111111111111111111111111111LpoYY' }),
  asks: [
    { params: given, request, body: { message: '0x0000ab', ...defaults } },
    {
      params: { network: 'mainnet', justification: 'AbCd0f' },
      request: 'POST /v1/signatureAggregator/mainnet/aggregateSignatures',
      body: { justification: 'AbCd0f', ...defaults },
    },
    {
      params: {
        network: 'testnet',
        message: '00ab',
        justification: '0x0A',
        signingSubnetId: '11111111111111111111111111111111LpoYY',
        quorumPercentage: '80',
        quorumPercentageBuffer: '20',
        pChainHeight: '1234567',
      },
      request: 'POST /v1/signatureAggregator/testnet/aggregateSignatures',
      body: {
        message: '00ab',
        justification: '0x0A',
        signingSubnetId: '11111111111111111111111111111111LpoYY',
        quorumPercentage: 80,
        quorumPercentageBuffer: 20,
        pChainHeight: 1_234_567,
      },
    },
    ...['0x00ff', '00ff'].map((signingSubnetId) => ({
      params: { ...given, signingSubnetId },
      request,
      body: { message: '0x0000ab', signingSubnetId, ...defaults },
    })),
    {
      params: { ...given, quorumPercentage: '0', quorumPercentageBuffer: '100' },
      request,
      body: { message: '0x0000ab', quorumPercentage: 0, quorumPercentageBuffer: 100, pChainHeight: 0 },
    },
    {
      params: { ...given, quorumPercentage: '100', quorumPercentageBuffer: '0' },
      request,
      body: { message: '0x0000ab', quorumPercentage: 100, quorumPercentageBuffer: 0, pChainHeight: 0 },
    },
    {
      params: { ...given, pChainHeight: '18446744073709551615' },
      request,
      body: { message: '0x0000ab', ...defaults, pChainHeight: 18_446_744_073_709_551_615n },
    },
  ],
  refuses: [
    [{ ...given, network: 'moon' }, 'mainnet'],
    [{ network: 'fuji' }, 'one of message and justification is required'],
    [{ ...given, message: '0xno' }, 'expected hexadecimal digits, with or without 0x'],
    [{ ...given, message: '0x' }, 'expected hexadecimal digits, with or without 0x'],
    [{ ...given, justification: 'why' }, 'expected hexadecimal digits, with or without 0x'],
    [{ ...given, signingSubnetId: '0O' }, 'expected a subnet id: base58 or hexadecimal'],
    [{ ...given, signingSubnetId: '' }, 'expected a subnet id: base58 or hexadecimal'],
    [{ ...given, quorumPercentage: '-1' }, 'expected a percentage: 0 to 100'],
    [{ ...given, quorumPercentage: '101' }, 'expected a percentage: 0 to 100'],
    [{ ...given, quorumPercentage: '66.7' }, 'expected an integer'],
    [{ ...given, quorumPercentage: '0', quorumPercentageBuffer: '-1' }, 'expected a percentage: 0 to 100'],
    [{ ...given, quorumPercentage: '0', quorumPercentageBuffer: '101' }, 'expected a percentage: 0 to 100'],
    [{ ...given, quorumPercentageBuffer: '34' }, 'expected at most 100 together with quorumPercentage'],
    [
      { ...given, quorumPercentage: '100', quorumPercentageBuffer: '1' },
      'expected at most 100 together with quorumPercentage',
    ],
    [{ ...given, pChainHeight: '-1' }, 'expected a decimal integer'],
    [{ ...given, pChainHeight: '18446744073709551616' }, 'expected an integer of 64 bits'],
  ],
  answers: [{ fixture: 'data/aggregate-signatures.document', value: { signedMessage: '0x0000000000057a8f' } }],
}
