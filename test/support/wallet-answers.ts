// What the data service says of the wallets that tests of collectors watch, with all fields that the document or the live
// service gives.

import { avaxAsset } from './avax.ts'

export const FIRST = 'fuji10ke8vrnt6nwcsnfgrj7d3e7ay7ynv62l72s4h7'
export const SECOND = 'fuji186eyqkgdmycan3q6z3q7hq5pmufj8ypzsxx946'
const THIRD = 'P-fuji1jelfk965yk0mv7484gpvcxccqe8ks3h3v66gm0'
export const STRANGER = 'fuji1ygwfw283mzr8t9mte5vfxus84gpljxg94u2gk3'
const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
export const TOKEN = avaxAsset.assetId
const P = '11111111111111111111111111111111LpoYY'
const X = '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm'

const of = (amount: string, assetId = TOKEN, type = 'secp256k1') => ({ ...avaxAsset, assetId, type, amount })
const about = (chainName: string) => ({ chainInfo: { chainName, network: 'fuji' } })

/** An output as lists of outputs have it (document 1, Utxo). */
const output = (utxoId: string, addresses: string[], amount: string, more: object = {}, assetId = TOKEN) => ({
  utxoId,
  addresses,
  asset: of(amount, assetId),
  amount,
  assetId,
  createdOnChainId: P,
  consumedOnChainId: P,
  txHash: `tx-${utxoId}`,
  outputIndex: 0,
  blockNumber: '5001',
  blockTimestamp: 1_690_000_000,
  platformLocktime: 0,
  threshold: 1,
  staked: false,
  utxoType: 'TRANSFER',
  ...more,
})
const stake = (utxoEndTimestamp: number) => ({
  staked: true,
  utxoType: 'STAKE',
  utxoStartTimestamp: 1_690_000_000,
  utxoEndTimestamp,
})

export const walletUtxos = {
  nextPageToken: '',
  utxos: [
    output('plain', [`P-${FIRST}`], '5000000000'),
    output('locked', [SECOND], '3000000000', { platformLocktime: 1_700_000_500 }),
    output('of-both-wallets', [FIRST, SECOND], '500000000', { threshold: 2 }),
    output('of-two-addresses-of-one-wallet', [SECOND, THIRD], '250000000', { threshold: 2 }),
    output('stake', [THIRD], '2000000000000', stake(1_800_000_000)),
    output('stake-that-is-over', [`P-${FIRST}`], '25000000000', { ...stake(1_699_999_999), rewardType: 'DELEGATOR' }),
    output('locked-stake', [`P-${FIRST}`], '30000000000', {
      ...stake(1_800_000_000),
      stakeableLocktime: 1_900_000_000,
    }),
    output('on-its-way', [`P-${FIRST}`], '1000000000', { createdOnChainId: X }),
    output('locked-for-stakes', [`P-${FIRST}`], '7000000000', {
      platformLocktime: 1_600_000_000,
      stakeableLocktime: 1_900_000_000,
    }),
    output('of-another-asset', [`P-${FIRST}`], '1', { platformLocktime: 1_700_000_001 }, 'asset-of-the-same-name'),
    output('spent', [`P-${FIRST}`], '100000000000', {
      consumingTxHash: 'tx-consuming',
      consumingBlockNumber: '5002',
      consumingBlockTimestamp: 1_690_000_010,
    }),
  ],
  ...about('p-chain'),
}

/** An output of the X-Chain in the live form. */
const outputOnX = (utxoId: string, asset: object, more: object = {}) => ({
  utxoId,
  addresses: [`X-${SECOND}`],
  asset,
  createdOnChainId: X,
  consumedOnChainId: X,
  creationTxHash: `tx-${utxoId}`,
  locktime: 0,
  outputIndex: '0',
  threshold: 1,
  timestamp: 1_690_000_000,
  utxoType: 'TRANSFER',
  ...more,
})

export const walletUtxosOnX = {
  utxos: [
    outputOnX('plain', of('4000000000')),
    outputOnX('locked', of('2000000000'), { locktime: 1_700_000_001 }),
    outputOnX('on-its-way', of('1500000000'), { createdOnChainId: P }),
    outputOnX('picture', of('1', 'a-picture', 'nft'), { groupId: 1, payload: '0x00' }),
  ],
  ...about('x-chain'),
}

/** An output as transactions have it. */
const moved = (utxoId: string, address: string, amount: string, more: object = {}) => ({
  utxoId,
  addresses: [address],
  assetId: TOKEN,
  amount,
  utxoType: 'TRANSFER',
  ...more,
})
const transaction = (txHash: string, txType: string, blockTimestamp: number, more: object) => ({
  txHash,
  txType,
  blockTimestamp,
  blockNumber: String(5_000 + (blockTimestamp % 1_000)),
  blockHash: `block-${txHash}`,
  value: [],
  amountBurned: [of('1000000')],
  amountStaked: [],
  amountL1ValidatorBalanceBurned: [],
  ...more,
})

export const walletTransactions = {
  nextPageToken: '',
  transactions: [
    transaction('tx-4', 'BaseTx', 1_700_000_400, {
      consumedUtxos: [moved('u-1', `P-${FIRST}`, '10000000000')],
      emittedUtxos: [moved('u-2', STRANGER, '3000000000'), moved('u-3', SECOND, '6999000000')],
    }),
    transaction('tx-3', 'RewardValidatorTx', 1_700_000_300, {
      consumedUtxos: [moved('u-4', FIRST, '25000000000', { utxoType: 'STAKE', staked: true })],
      emittedUtxos: [
        moved('u-5', FIRST, '25000000000'),
        moved('u-6', FIRST, '1960000000', { rewardType: 'DELEGATOR' }),
      ],
      amountBurned: [],
      stakingTxHash: 'tx-stake',
    }),
    transaction('tx-2', 'BaseTx', 1_700_000_200, {
      consumedUtxos: [moved('u-7', STRANGER, '6000000000')],
      emittedUtxos: [moved('u-8', FIRST, '5000000000'), moved('u-9', STRANGER, '999000000')],
    }),
    transaction('tx-1', 'ImportTx', 1_700_000_100, {
      consumedUtxos: [moved('u-10', FIRST, '8000000000')],
      emittedUtxos: [moved('u-11', FIRST, '7999000000')],
    }),
  ],
  ...about('p-chain'),
}

const movedLive = (utxoId: string, address: string, asset: object, more: object = {}) => ({
  utxoId,
  addresses: [address],
  asset,
  ...more,
})
const other = of('7', 'asset-other')

/** Newest first, in the forms that the live service has for the X- and the C-Chain. */
export const walletTransactionsLive = {
  x: {
    transactions: [
      {
        txHash: 'x-2',
        chainFormat: 'linear',
        timestamp: 1_700_000_200,
        txType: 'BaseTx',
        memo: '0x',
        consumedUtxos: [
          movedLive('u-1', `X-${FIRST}`, of('5000000000'), { outputIndex: '0' }),
          movedLive('u-2', `X-${FIRST}`, other, { outputIndex: '1' }),
        ],
        emittedUtxos: [
          movedLive('u-3', `X-${STRANGER}`, of('4000000000'), { outputIndex: '0' }),
          movedLive('u-4', `X-${FIRST}`, of('998000000'), { outputIndex: '1' }),
          movedLive('u-5', `X-${FIRST}`, other, { outputIndex: '2' }),
        ],
        amountUnlocked: [of('5000000000'), other],
        amountCreated: [of('4998000000'), other],
        blockHeight: 5_002,
        blockHash: 'block-2',
      },
      {
        txHash: 'x-1',
        chainFormat: 'linear',
        timestamp: 1_700_000_100,
        txType: 'CreateAssetTx',
        consumedUtxos: [],
        emittedUtxos: [],
        amountUnlocked: [],
        amountCreated: [],
        blockHeight: 5_001,
        blockHash: 'block-1',
      },
    ],
    ...about('x-chain'),
  },
  c: {
    transactions: [
      {
        txHash: 'c-2',
        blockHeight: 6_002,
        blockHash: 'block-2',
        timestamp: 1_700_000_200,
        txType: 'ExportTx',
        sourceChain: 'chain-c',
        destinationChain: 'chain-p',
        amountUnlocked: [of('2000000000')],
        amountCreated: [of('1999000000')],
        evmInputs: [{ fromAddress: EVM, asset: of('2000000000') }],
        emittedUtxos: [movedLive('u-1', `P-${FIRST}`, of('1999000000'))],
      },
      {
        txHash: 'c-1',
        blockHeight: 6_001,
        blockHash: 'block-1',
        timestamp: 1_700_000_100,
        txType: 'ImportTx',
        sourceChain: 'chain-p',
        destinationChain: 'chain-c',
        amountUnlocked: [of('1000000000')],
        amountCreated: [of('999000000')],
        consumedUtxos: [movedLive('u-2', `C-${FIRST}`, of('1000000000'))],
        evmOutputs: [{ toAddress: EVM.toLowerCase(), asset: of('999000000') }],
      },
    ],
    ...about('c-chain'),
  },
} as const

const topup = (txHash: string, at: number, balanceBurned: object[] | null, more: object = {}) =>
  transaction(txHash, 'IncreaseL1ValidatorBalanceTx', at, {
    consumedUtxos: [],
    emittedUtxos: [],
    amountL1ValidatorBalanceBurned: balanceBurned,
    l1ValidatorDetails: [
      {
        validationId: 'validation-1',
        validationIdHex: '0x01',
        nodeId: 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu',
        subnetId: '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof',
        weight: 100,
        remainingBalance: 7_000_000_000,
        ...more,
      },
    ],
  })

export const topUps = {
  nextPageToken: '',
  transactions: [
    topup('t-3', 1_700_000_300, [of('2500000000')]),
    topup('t-2', 1_700_000_200, null, { balanceChange: 1_500_000_000 }),
    topup('t-1', 1_700_000_100, [of('9000000000')]),
  ],
  ...about('p-chain'),
}

/** Both went to one validator. */
const onP = { nodeId: 'NodeID-1', subnetId: P }

export const walletStakes = {
  nextPageToken: '',
  transactions: [
    {
      txHash: 'tx-validation',
      txType: 'AddPermissionlessValidatorTx',
      blockTimestamp: 1_700_000_001,
      blockNumber: '5001',
      blockHash: 'block-1',
      consumedUtxos: [{ utxoId: 'utxo-1', addresses: [FIRST], utxoType: 'TRANSFER', amount: '2500000000000' }],
      emittedUtxos: [
        { utxoId: 'utxo-2', addresses: [FIRST], utxoType: 'STAKE', staked: true, amount: '2000500000000' },
        { utxoId: 'utxo-3', addresses: [FIRST], utxoType: 'TRANSFER', staked: false, amount: '499500000000' },
      ],
      value: [{ assetId: TOKEN, amount: '2500000000000' }],
      amountBurned: [],
      amountStaked: [of('2000500000000')],
      amountL1ValidatorBalanceBurned: [],
      startTimestamp: 1_700_000_001,
      endTimestamp: 1_731_536_000,
      delegationFeePercent: '2',
      ...onP,
      estimatedReward: '150500000004',
      rewardAddresses: [FIRST],
    },
    {
      txHash: 'tx-delegation',
      txType: 'AddDelegatorTx',
      blockTimestamp: 1_700_000_002,
      blockNumber: '5002',
      blockHash: 'block-2',
      consumedUtxos: [],
      emittedUtxos: [],
      value: [],
      amountBurned: [],
      amountStaked: [{ assetId: TOKEN, amount: '25000000000' }],
      amountL1ValidatorBalanceBurned: [],
      startTimestamp: 1_700_000_002,
      endTimestamp: 1_710_000_000,
      ...onP,
      estimatedReward: '1960000000',
      rewardAddresses: [`P-${SECOND}`],
    },
  ],
  ...about('p-chain'),
}

const validation = {
  txHash: 'tx-validation',
  amountStaked: '2000000000000',
  nodeId: 'NodeID-1',
  startTimestamp: 1_690_000_000,
  endTimestamp: 1_700_000_400,
  rewardTxHash: 'tx-reward-1',
}

export const walletRewards = {
  nextPageToken: '',
  historicalRewards: [
    {
      addresses: [`P-${FIRST}`],
      txHash: 'tx-delegation',
      amountStaked: '25000000000',
      nodeId: 'NodeID-1',
      startTimestamp: 1_699_000_000,
      endTimestamp: 1_700_000_500,
      rewardType: 'DELEGATOR',
      utxoId: 'utxo-3',
      outputIndex: 1,
      reward: of('1960000000'),
      rewardTxHash: 'tx-reward-2',
    },
    {
      ...validation,
      addresses: [`P-${FIRST}`],
      rewardType: 'VALIDATOR',
      utxoId: 'utxo-2',
      outputIndex: 2,
      reward: { ...of('150500000000'), historicalPrice: { currencyCode: 'eur', value: '16.25' } },
    },
    {
      ...validation,
      addresses: [SECOND],
      rewardType: 'VALIDATOR_FEE',
      utxoId: 'utxo-1',
      outputIndex: 3,
      reward: { ...of('40000000'), historicalPrice: { currencyCode: 'EUR', value: 16.25 } },
    },
  ],
}
