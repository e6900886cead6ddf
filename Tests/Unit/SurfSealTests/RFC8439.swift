import TestSupport
import Testing

/// The examples of RFC 8439, including appendix A.
enum RFC8439 {
  struct Block: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let key, nonce: String
    let counter: UInt32
    let stream: String
  }

  struct Encryption: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let key, nonce: String
    let counter: UInt32
    let text: String
    let encrypted: String
  }

  struct Authentication: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let key: String
    let text: [UInt8]
    let tag: String
  }

  struct TagKey: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let key, nonce: String
    let tagKey: String
  }

  static let sunscreen = """
    Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, \
    sunscreen would be it.
    """
  static let submission = """
    Any submission to the IETF intended by the Contributor for publication as all or part of an \
    IETF Internet-Draft or RFC and any statement made within the context of an IETF activity is \
    considered an "IETF Contribution". Such statements include oral statements in IETF sessions, \
    as well as written and electronic communications made at any time or place, which are \
    addressed to
    """
  static let jabberwocky = """
    'Twas brillig, and the slithy toves
    Did gyre and gimble in the wabe:
    All mimsy were the borogoves,
    And the mome raths outgrabe.
    """

  static let blocks: [Block] = [
    Block(
      testDescription: "RFC 8439 §2.3.2",
      key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      nonce: "000000090000004a00000000", counter: 1,
      stream: """
        10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e
        d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e
        """),
    Block(
      testDescription: "A.1 #1",
      key: "0000000000000000000000000000000000000000000000000000000000000000",
      nonce: "000000000000000000000000", counter: 0,
      stream: """
        76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7
        da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586
        """),
    Block(
      testDescription: "A.1 #2",
      key: "0000000000000000000000000000000000000000000000000000000000000000",
      nonce: "000000000000000000000000", counter: 1,
      stream: """
        9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed
        29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f
        """),
    Block(
      testDescription: "A.1 #3",
      key: "0000000000000000000000000000000000000000000000000000000000000001",
      nonce: "000000000000000000000000", counter: 1,
      stream: """
        3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a
        8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0
        """),
    Block(
      testDescription: "A.1 #4",
      key: "00ff000000000000000000000000000000000000000000000000000000000000",
      nonce: "000000000000000000000000", counter: 2,
      stream: """
        72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca
        13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096
        """),
    Block(
      testDescription: "A.1 #5",
      key: "0000000000000000000000000000000000000000000000000000000000000000",
      nonce: "000000000000000000000002", counter: 0,
      stream: """
        c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7
        8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d
        """),
  ]

  static let encryptions: [Encryption] = [
    Encryption(
      testDescription: "RFC 8439 §2.4.2",
      key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      nonce: "000000000000004a00000000", counter: 1, text: sunscreen,
      encrypted: """
        6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b
        f91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8
        07ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736
        5af90bbf74a35be6b40b8eedf2785e42874d
        """),
    Encryption(
      testDescription: "A.2 #2",
      key: "0000000000000000000000000000000000000000000000000000000000000001",
      nonce: "000000000000000000000002", counter: 1, text: submission,
      encrypted: """
        a3fbf07df3fa2fde4f376ca23e82737041605d9f4f4f57bd8cff2c1d4b7955ec
        2a97948bd3722915c8f3d337f7d370050e9e96d647b7c39f56e031ca5eb6250d
        4042e02785ececfa4b4bb5e8ead0440e20b6e8db09d881a7c6132f420e527950
        42bdfa7773d8a9051447b3291ce1411c680465552aa6c405b7764d5e87bea85a
        d00f8449ed8f72d0d662ab052691ca66424bc86d2df80ea41f43abf937d3259d
        c4b2d0dfb48a6c9139ddd7f76966e928e635553ba76c5c879d7b35d49eb2e62b
        0871cdac638939e25e8a1e0ef9d5280fa8ca328b351c3c765989cbcf3daa8b6c
        cc3aaf9f3979c92b3720fc88dc95ed84a1be059c6499b9fda236e7e818b04b0b
        c39c1e876b193bfe5569753f88128cc08aaa9b63d1a16f80ef2554d7189c411f
        5869ca52c5b83fa36ff216b9c1d30062bebcfd2dc5bce0911934fda79a86f6e6
        98ced759c3ff9b6477338f3da4f9cd8514ea9982ccafb341b2384dd902f3d1ab
        7ac61dd29c6f21ba5b862f3730e37cfdc4fd806c22f221
        """),
    Encryption(
      testDescription: "A.2 #3",
      key: "1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0",
      nonce: "000000000000000000000002", counter: 42, text: jabberwocky,
      encrypted: """
        62e6347f95ed87a45ffae7426f27a1df5fb69110044c0d73118effa95b01e5cf
        166d3df2d721caf9b21e5fb14c616871fd84c54f9d65b283196c7fe4f60553eb
        f39c6402c42234e32a356b3e764312a61a5532055716ead6962568f87d3f3f77
        04c6a8d1bcd1bf4d50d6154b6da731b187b58dfd728afa36757a797ac188d1
        """),
  ]

  static let authentications: [Authentication] = [
    Authentication(
      testDescription: "RFC 8439 §2.5.2",
      key: "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b",
      text: octets(
        """
        43727970746f6772617068696320466f72756d2052657365617263682047726f
        7570
        """),
      tag: "a8061dc1305136c6c22b8baf0c0127a9"),
    Authentication(
      testDescription: "A.3 #1",
      key: "0000000000000000000000000000000000000000000000000000000000000000",
      text: octets(
        """
        0000000000000000000000000000000000000000000000000000000000000000
        0000000000000000000000000000000000000000000000000000000000000000
        """),
      tag: "00000000000000000000000000000000"),
    Authentication(
      testDescription: "A.3 #2",
      key: "0000000000000000000000000000000036e5f6b5c5e06070f0efca96227a863e",
      text: Array(submission.utf8),
      tag: "36e5f6b5c5e06070f0efca96227a863e"),
    Authentication(
      testDescription: "A.3 #3",
      key: "36e5f6b5c5e06070f0efca96227a863e00000000000000000000000000000000",
      text: Array(submission.utf8),
      tag: "f3477e7cd95417af89a6b8794c310cf0"),
    Authentication(
      testDescription: "A.3 #4",
      key: "1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0",
      text: Array(jabberwocky.utf8),
      tag: "4541669a7eaaee61e708dc7cbcc5eb62"),
    Authentication(
      testDescription: "A.3 #5",
      key: "0200000000000000000000000000000000000000000000000000000000000000",
      text: octets("ffffffffffffffffffffffffffffffff"),
      tag: "03000000000000000000000000000000"),
    Authentication(
      testDescription: "A.3 #6",
      key: "02000000000000000000000000000000ffffffffffffffffffffffffffffffff",
      text: octets("02000000000000000000000000000000"),
      tag: "03000000000000000000000000000000"),
    Authentication(
      testDescription: "A.3 #7",
      key: "0100000000000000000000000000000000000000000000000000000000000000",
      text: octets(
        """
        fffffffffffffffffffffffffffffffff0ffffffffffffffffffffffffffffff
        11000000000000000000000000000000
        """),
      tag: "05000000000000000000000000000000"),
    Authentication(
      testDescription: "A.3 #8",
      key: "0100000000000000000000000000000000000000000000000000000000000000",
      text: octets(
        """
        fffffffffffffffffffffffffffffffffbfefefefefefefefefefefefefefefe
        01010101010101010101010101010101
        """),
      tag: "00000000000000000000000000000000"),
    Authentication(
      testDescription: "A.3 #9",
      key: "0200000000000000000000000000000000000000000000000000000000000000",
      text: octets("fdffffffffffffffffffffffffffffff"),
      tag: "faffffffffffffffffffffffffffffff"),
    Authentication(
      testDescription: "A.3 #10",
      key: "0100000000000000040000000000000000000000000000000000000000000000",
      text: octets(
        """
        e33594d7505e43b900000000000000003394d7505e4379cd0100000000000000
        0000000000000000000000000000000001000000000000000000000000000000
        """),
      tag: "14000000000000005500000000000000"),
    Authentication(
      testDescription: "A.3 #11",
      key: "0100000000000000040000000000000000000000000000000000000000000000",
      text: octets(
        """
        e33594d7505e43b900000000000000003394d7505e4379cd0100000000000000
        00000000000000000000000000000000
        """),
      tag: "13000000000000000000000000000000"),
  ]

  static let tagKeys: [TagKey] = [
    TagKey(
      testDescription: "RFC 8439 §2.6.2",
      key: "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
      nonce: "000000000001020304050607",
      tagKey: "8ad5a08b905f81cc815040274ab29471a833b637e3fd0da508dbb8e2fdd1a646"),
    TagKey(
      testDescription: "A.4 #1",
      key: "0000000000000000000000000000000000000000000000000000000000000000",
      nonce: "000000000000000000000000",
      tagKey: "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"),
    TagKey(
      testDescription: "A.4 #2",
      key: "0000000000000000000000000000000000000000000000000000000000000001",
      nonce: "000000000000000000000002",
      tagKey: "ecfa254f845f647473d3cb140da9e87606cb33066c447b87bc2666dde3fbb739"),
    TagKey(
      testDescription: "A.4 #3",
      key: "1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0",
      nonce: "000000000000000000000002",
      tagKey: "965e3bc6f9ec7ed9560808f4d229f94b137ff275ca9b3fcbdd59deaad23310ae"),
  ]
}
